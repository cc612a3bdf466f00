// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/kit/plot/plot_data.hpp"

namespace warplens::gui {

/// A plot as a widget. Mouse and arrow keys choose among PlotData::choices, the tooltip and a screen reader say what is
/// chosen, and a menu writes the plot into a file. A chart is a class of it that makes the data.
class PlotView : public Plot {
    Q_OBJECT
public:
    explicit PlotView(QWidget* parent = nullptr);

    void setPlot(PlotData plot);
    const PlotData& plot() const { return m_plot; }
    /// -1: none.
    int chosen() const { return m_chosen; }
    /// Without a word to others.
    void setChosen(int choice);
    /// What is said of the one chosen; empty without one.
    QString spokenChoice() const;
    PlotPlaces places() const { return placesIn(rect(), m_plot); }
    QRectF area() const { return places().area; }

    /// As it is shown, in the colours and the size of the moment; the kind of file by its ending: png, svg, pdf, csv.
    /// False when it could not be written.
    bool write(const QString& path);

signals:
    /// By mouse or key, also when it was chosen before.
    void picked(int choice);
    /// Return.
    void taken();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    QString tipAt(QPoint place) const override;
    /// The user's choice; whoever follows another state than the plot's own sets that.
    virtual void pick(int choice);

private:
    void describe();
    void openFileDialog();
    bool paintInto(QPaintDevice& device);

    PlotData m_plot;
    int m_chosen = -1;
    int m_line = -1;  ///< of the points that the mouse goes along
    bool m_held = false;
};

}  // namespace warplens::gui
