// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

class QPagedPaintDevice;
class QWidget;

namespace warplens::gui {

/// Paints a view on the page of a printer or a PDF file, as large as fits, with a line below that says what it is.
void paintPage(QPagedPaintDevice& paper, const QImage& view, const QString& line);

/// Asks for a printer, or a PDF file, and prints; returns at once.
void askToPrint(QWidget* window, const QImage& view, const QString& line);

}  // namespace warplens::gui
