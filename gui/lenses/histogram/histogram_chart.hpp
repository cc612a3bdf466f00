// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"
#include "gui/picture/bins.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace warplens::gui {

/// How many requests of a warp have at most n lanes in one bin, n = 1..32, in
/// the colours of the map beside the picture. A number of lanes can be chosen.
class LanesChart : public PlotView {
    Q_OBJECT
public:
    explicit LanesChart(QWidget* parent = nullptr);
    /// requests[n]; [0] is not drawn.
    void setRequests(const std::array<std::int64_t, 33>& requests);
    QSize sizeHint() const override { return {288, Length(140)}; }
};

/// Counts per bin with axes, cumulative curve, hover and a range to select. Dragging selects whole bins, a click on an
/// edge of the range drags that edge; Left and Right move the pointed-at bin, with Shift they select, Delete clears.
class HistogramChart : public PlotView {
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
    bool logCounts() const { return m_scales.logCounts; }
    bool logValues() const { return m_scales.logValues; }
    /// The bin that hover or keys point at, or -1.
    int pointed() const { return chosen(); }
    /// What it says of the pointed-at bin, a line each; empty without one.
    QStringList tooltipLines() const { return spokenChoice().split(u'\n', Qt::SkipEmptyParts); }
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
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint) const override { return {}; }  // it stands in the chart

private:
    bool shows(std::size_t channel) const { return channel < m_shown.size() && m_shown[channel]; }
    void refresh();
    void addShares(PlotData& plot) const;
    void addMarked(PlotData& plot) const;
    QString textOf(int bin) const;
    QString description() const;
    int binAt(double x) const;
    void point(int bin);
    void select(int first, int last);
    void clearSelection();

    std::shared_ptr<const gpu::BinnedCounts> m_histogram;
    std::vector<double> m_shares;
    std::vector<bool> m_shown;
    std::vector<int> m_marked;
    std::optional<ValueRange> m_selection;
    QString m_message;
    BinScales m_scales;
    bool m_outdated = false, m_cumulative = true;
    std::optional<int> m_anchor;  ///< where the selection under way began
    bool m_dragging = false;
};

}  // namespace warplens::gui
