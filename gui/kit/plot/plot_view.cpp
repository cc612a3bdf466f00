// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/plot/plot_view.hpp"

#include "gui/kit/files.hpp"

#include <QAccessibleWidget>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMetaMethod>
#include <QMouseEvent>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <utility>

namespace warplens::gui {

namespace {

/// A chart, whose value is what is said of the one chosen.
class PlotFace : public QAccessibleWidget {
public:
    explicit PlotFace(PlotView* view) : QAccessibleWidget(view, QAccessible::Chart) {}
    QString text(QAccessible::Text which) const override {
        return which == QAccessible::Value ? static_cast<PlotView*>(widget())->spokenChoice()
                                           : QAccessibleWidget::text(which);
    }
};

QAccessibleInterface* makeFace(const QString& name, QObject* object) {
    auto* const view =
        name == QLatin1String(PlotView::staticMetaObject.className()) ? qobject_cast<PlotView*>(object) : nullptr;
    return view == nullptr ? nullptr : new PlotFace(view);
}

}  // namespace

PlotView::PlotView(QWidget* parent) : Plot(parent) {
    [[maybe_unused]] static const bool known = (QAccessible::installFactory(makeFace), true);
}

void PlotView::setPlot(PlotData plot) {
    m_plot = std::move(plot);
    setRanges(m_plot);
    if (m_chosen >= m_plot.choices.size()) m_chosen = -1;
    describe();
    update();
}

void PlotView::setChosen(int choice) {
    if (choice >= m_plot.choices.size()) choice = -1;
    if (std::exchange(m_chosen, choice) == choice) return;
    describe();
    update();
    QAccessibleValueChangeEvent changed(this, spokenChoice());
    QAccessible::updateAccessibility(&changed);
}

QString PlotView::spokenChoice() const {
    return m_chosen < 0 || !m_plot.choices.spoken ? QString() : m_plot.choices.spoken(m_chosen);
}

void PlotView::describe() {
    QStringList parts{m_plot.spoken, spokenChoice()};
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

void PlotView::pick(int choice) {
    setChosen(choice);
    emit picked(choice);
}

void PlotView::paintEvent(QPaintEvent*) {
    if (height() < m_plot.leastHeight) return;
    QPainter painter(this);
    paintPlot(painter, rect(), m_plot, m_chosen);
}

void PlotView::mousePressEvent(QMouseEvent* event) {
    const bool chooses = event->button() == Qt::LeftButton && !m_plot.choices.told;
    const int choice = chooses ? choiceAt(places(), m_plot, event->position()) : -1;
    m_held = choice >= 0;
    if (!m_held) return QWidget::mousePressEvent(event);
    m_line = m_plot.choices.by == PlotChoices::By::point ? lineOf(m_plot.choices, choice) : -1;
    pick(choice);
}

void PlotView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_held || !event->buttons().testFlag(Qt::LeftButton)) return QWidget::mouseMoveEvent(event);
    const int choice = choiceAt(places(), m_plot, event->position(), m_line);
    if (choice >= 0 && choice != m_chosen) pick(choice);
}

void PlotView::mouseReleaseEvent(QMouseEvent* event) {
    m_held = false;
    QWidget::mouseReleaseEvent(event);
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    static const QMetaMethod kTaken = QMetaMethod::fromSignal(&PlotView::taken);
    const bool takes = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (takes && isSignalConnected(kTaken)) return emit taken();
    const int choice = m_plot.choices.told ? -1 : choiceByKey(m_plot, m_chosen, event->key());
    if (choice < 0) return QWidget::keyPressEvent(event);
    pick(choice);
}

QString PlotView::tipAt(QPoint place) const {
    const int choice = choiceAt(places(), m_plot, place);
    return choice < 0 || !m_plot.choices.spoken ? m_plot.tip : m_plot.choices.spoken(choice);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("plot-menu"));
    menu->addAction(tr("Save the chart as …"), this, &PlotView::openFileDialog)->setEnabled(!m_plot.isEmpty());
    menu->popup(event->globalPos());
}

void PlotView::openFileDialog() {
    gui::openFileDialog(this,
                        {.title = tr("Save the chart"),
                         .filters = {tr("Picture (*.png)"), tr("Drawing (*.svg)"), tr("Page (*.pdf)"),
                                     tr("Values of the chart (*.csv)")},
                         .suffix = QStringLiteral("png"),
                         .name = objectName().isEmpty() ? QStringLiteral("chart") : objectName(),
                         .id = "plot-export"},
                        this, [this](const QString& path) {
                            if (write(path)) return;
                            auto* const box =
                                new QMessageBox(QMessageBox::Warning, tr("Save the chart"),
                                                tr("%1 could not be written.").arg(path), QMessageBox::Ok, this);
                            box->setAttribute(Qt::WA_DeleteOnClose);
                            box->open();
                        });
}

bool PlotView::paintInto(QPaintDevice& device) {
    QPainter painter;
    if (!painter.begin(&device)) return false;
    painter.fillRect(rect(), colour(Role::dock));
    paintPlot(painter, rect(), m_plot, m_chosen);
    return painter.end();
}

bool PlotView::write(const QString& path) {
    const QString kind = QFileInfo(path).suffix().toLower();
    if (kind == QLatin1String("svg")) {
        QSvgGenerator drawing;
        drawing.setFileName(path);
        drawing.setSize(size());
        drawing.setViewBox(rect());
        drawing.setTitle(accessibleName());
        return paintInto(drawing);
    }
    if (kind == QLatin1String("pdf")) {
        QPdfWriter page(path);
        page.setResolution(96);
        page.setPageSize(QPageSize(QSizeF(size()) * 72 / 96, QPageSize::Point, {}, QPageSize::ExactMatch));
        page.setPageMargins({});
        page.setTitle(accessibleName());
        return paintInto(page);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    if (kind == QLatin1String("csv")) {
        file.write(csvOf(m_plot).toUtf8());
        return file.commit();
    }
    // Twice as fine as on the screen, for paper.
    QImage picture(2 * size(), QImage::Format_RGB32);
    picture.setDevicePixelRatio(2);
    return paintInto(picture) && picture.save(&file, "PNG") && file.commit();
}

}  // namespace warplens::gui
