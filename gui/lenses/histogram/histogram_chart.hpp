// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gui/picture/bins.hpp"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

/// Counts per bin with axes, cumulative curve, hover and a range to select. Dragging selects whole bins, a click on an
/// edge of the range drags that edge; Left and Right move the pointed-at bin, with Shift they select, Delete clears.
class HistogramChart : public QWidget {
    Q_OBJECT
public:
    explicit HistogramChart(QWidget* parent = nullptr);

    /// Null: `message` is shown. `outdated` counts are drawn weaker.
    void setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram, bool outdated = false);
    void setMessage(const QString& message);
    void setShown(const std::vector<bool>& channels);
    void setSelection(const std::optional<ValueRange>& range);
    /// Bins of the pixel under the cursor, one a channel, -1 for none.
    void setMarkedBins(const std::vector<int>& bins);
    const std::optional<ValueRange>& selection() const { return m_selection; }
    bool logCounts() const { return m_logCounts; }
    bool logValues() const { return m_logValues; }
    /// The bin that hover or keys point at, or -1.
    int pointed() const { return m_pointed; }
    /// What it says of the pointed-at bin, a line each; empty without one.
    QStringList tooltipLines() const;
    /// Middle of a bin's column and any height inside the plot, in widget coordinates.
    QPointF pointOf(int bin) const;

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override { return {280, 150}; }

public slots:
    void setLogCounts(bool on);
    void setLogValues(bool on);
    void setCumulative(bool on);

signals:
    /// The user chose another range, or none.
    void selectionEdited();
    void pointedChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    BinPicture picture() const;
    void paintAxes(QPainter& painter, const BinPicture& picture) const;
    void paintSelection(QPainter& painter, const BinPicture& picture) const;
    void paintCumulative(QPainter& painter, const BinPicture& picture) const;
    void paintPointed(QPainter& painter, const BinPicture& picture) const;
    void paintHandles(QPainter& painter, const BinPicture& picture) const;
    int binAt(double x) const;
    void point(int bin);
    void select(int first, int last);
    void clearSelection();
    void describe();

    std::shared_ptr<const gpu::BinnedCounts> m_histogram;
    std::vector<double> m_shares;
    std::vector<bool> m_shown;
    std::vector<int> m_marked;
    std::optional<ValueRange> m_selection;
    QString m_message;
    bool m_outdated = false, m_logCounts = false, m_logValues = false, m_cumulative = true;
    int m_pointed = -1;
    std::optional<int> m_anchor;  ///< where the selection under way began
    bool m_dragging = false;
};

}  // namespace warplens::gui
