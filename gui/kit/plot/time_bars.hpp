// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/report/run_columns.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/plot/scale.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QColor>
#include <QIcon>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace warplens::gui {

/// Fills the piece of a bar that stands for a stage: upload dark grey, layout hatched, the kernel in `kernel`, download
/// light grey, display outlined.
void paintStage(QPainter& painter, const QRectF& box, gpu::RunColumn::Id stage, const QColor& kernel);

/// "upload"
QString stageName(gpu::RunColumn::Id stage);

/// The same as a mark in a column's head; null where the column is no stage, and of the kernel, which has its idea's
/// colour.
QIcon stageIcon(gpu::RunColumn::Id stage);

/// One row of the chart, the same row as in the table beside it.
struct TimeBar {
    QString name;  ///< of the variant; in the tooltip and the accessible description
    gpu::Idea idea = gpu::Idea::plain;
    std::optional<double> medianMs, q1Ms, q3Ms;  ///< no median: no bar
    QString note;                                ///< instead of a bar, in text 3: "CPU clock: not drawn on this scale"
    /// Pieces from 0, one behind the other, in place of the median's bar.
    struct Piece {
        gpu::RunColumn::Id stage;
        double ms;
    };
    std::vector<Piece> pieces{};

    /// One without a bar yet.
    static TimeBar of(const gpu::Variant& variant);
    /// Of the stages that took time, in their order.
    static std::vector<Piece> piecesOf(const gpu::Stages& stages);
    /// Quartiles are of the kernel: beside pieces there are none.
    void setTime(const gpu::Timing& time, std::vector<Piece> of = {});
    /// How far it goes; there must be a median.
    double length() const;
};

/// Horizontal bars of times from 0, with quartile whiskers. Shares its rows with a table: order, height, scroll offset
/// and selection are set from there; it has no labels of its own.
class TimeBars : public Plot {
    Q_OBJECT

public:
    explicit TimeBars(QWidget* parent = nullptr);

    void setBars(std::vector<TimeBar> bars);
    /// A dashed line at `ms`; `formula` explains it in the tooltip. None: no line.
    void setLimit(std::optional<double> ms, const QString& formula = {});
    /// Whether times rank the variants. Otherwise bars and values are grey, and the head says `title` with the axis
    /// below.
    void setRanking(bool ranking, const QString& title = {});
    /// What the bars are of: "ms" of times, "MB" of what is counted.
    void setUnit(const QString& unit);
    /// Whose glyph stands in the head: that of all bars, where they have one in common.
    void setOrigin(std::optional<Origin> origin);
    void setHeadHeight(int height);
    void setRowHeight(int height);

    QSize sizeHint() const override { return {320, m_head + m_row * static_cast<int>(m_bars.size())}; }
    QSize minimumSizeHint() const override { return {160, m_head + 2 * m_row}; }

public slots:
    /// Pixels by which the table is scrolled.
    void setScrollOffset(int pixels);
    void setSelectedRow(int row);

signals:
    /// The user chose a row, by mouse or with Up and Down.
    void rowChosen(int row);
    /// The wheel was turned over the chart; `delta` as in QWheelEvent::angleDelta().y(). The table beside it scrolls.
    void scrolled(int delta);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    Scale axis() const;
    void paintRows(QPainter& painter, const Scale& scale) const;
    void paintPieces(QPainter& painter, const Scale& scale, const TimeBar& bar, double top) const;
    void paintBar(QPainter& painter, const Scale& scale, const TimeBar& bar, double top, bool selected) const;
    /// Ticks, the limit's line and name, the title.
    void paintAxis(QPainter& painter, const Scale& scale) const;
    QString spoken(const TimeBar& bar) const;
    int rowAt(double y) const;
    double barsBottom() const;
    void describe();

    std::vector<TimeBar> m_bars;
    std::optional<double> m_limit;
    std::optional<Origin> m_origin;
    QString m_formula, m_title, m_unit{tr("ms")};
    bool m_ranking = true;
    int m_head, m_row;
    int m_offset = 0;
    int m_selected = -1;
};

}  // namespace warplens::gui
