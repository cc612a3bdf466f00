// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace warplens::gui {

/// The languages that texts are in: "en", and "de", in which the preferences alone are so far.
/// What is shown from now on is in this one; any other is English.
void useLanguage(const QString& code);

}  // namespace warplens::gui
