// SPDX-License-Identifier: Apache-2.0
#include "gui/document/print_view.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPagedPaintDevice>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <memory>

namespace warplens::gui {

void paintPage(QPagedPaintDevice& paper, const QImage& view, const QString& line) {
    QPainter painter(&paper);
    QFont font = painter.font();
    font.setPointSizeF(9);
    painter.setFont(font);
    QRectF page(painter.viewport());
    const double below = 2 * QFontMetricsF(font, &paper).height();
    const QRectF foot(page.left(), page.bottom() - below, page.width(), below);
    page.setBottom(foot.top());
    QSizeF size(view.size());
    size.scale(page.size(), Qt::KeepAspectRatio);
    painter.drawImage(QRectF(QPointF(page.center().x() - size.width() / 2, page.top()), size), view);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, line);
}

void askToPrint(QWidget* window, const QImage& view, const QString& line) {
    auto printer = std::make_shared<QPrinter>();
    printer->setDocName(line);
    if (view.width() > view.height()) printer->setPageOrientation(QPageLayout::Landscape);
    auto* dialog = new QPrintDialog(printer.get(), window);
    dialog->setObjectName(QStringLiteral("print-dialog"));
    dialog->setWindowTitle(QCoreApplication::translate("PrintView", "Print the view"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QAbstractPrintDialog::PrintPageRange, false);
    // The printer goes when the dialog has.
    QObject::connect(dialog, &QObject::destroyed, [printer] {});
    QObject::connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), dialog,
                     [view, line](QPrinter* chosen) { paintPage(*chosen, view, line); });
    dialog->open();
}

}  // namespace warplens::gui
