// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/matrix_rows.hpp"
#include "gui/kit/paint.hpp"

#include <memory>

namespace warplens::gui {

/// What the 32 lanes of a warp do for its rows: one thread per row, and one warp per row. Filled: a lane multiplies;
/// hatched: it waits.
class LanesView : public Plot {
    Q_OBJECT
public:
    explicit LanesView(QWidget* parent = nullptr);
    void setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row);
    /// Both in words, with their shares.
    QString spoken() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    struct Chart {
        const char* variant;
        QString words;
        gpu::sparse::LaneSteps steps;
        int most;  ///< steps of the axis
        QRectF head, plot;
    };
    std::array<Chart, 2> charts() const;
    QString percentOf(const Chart& chart) const;
    QString share(const Chart& chart) const;
    int length(int i) const { return m_rows->lengths[static_cast<std::size_t>(m_first + i)]; }
    /// Rows with more nonzeros than a lane's number: each is a step of it.
    int rowsOfLane(int lane) const;
    void paintHead(QPainter& painter, const Chart& chart) const;
    void paintAxis(QPainter& painter, const Chart& chart) const;

    std::shared_ptr<const gpu::sparse::MatrixRows> m_rows;
    int m_first = 0, m_count = 0, m_row = 0;
};

}  // namespace warplens::gui
