// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QFontMetricsF;

namespace warplens::gui {

/// A text in lines of at most `room` pixels, broken between words, those after the first indented: a button breaks none itself.
QString wrapped(const QString& text, const QFontMetricsF& metrics, double room);

}  // namespace warplens::gui
