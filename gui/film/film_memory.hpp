// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/film/film_model.hpp"
#include "gui/kit/paint.hpp"
#include "gui/picture/render.hpp"

#include <QWidget>

namespace warplens::gui {

/// The block's shared memory as the hardware sees it, a column a bank: cells as they fill, with the picture's own
/// values where they are that, and below them the barrier as a gate. A click on a cell goes to the step that filled it.
class FilmMemory : public Plot {
    Q_OBJECT
public:
    FilmMemory(FilmModel& model, QWidget* parent);
    /// In which the picture is shown.
    void setRange(const DisplayRange& range);
    /// Values of a row of the staged tile; 0: none is staged.
    void setTileWidth(int width);
    QSize minimumSizeHint() const override { return {280, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    /// Which words of the array shown stand where.
    struct Places {
        int array = -1;
        int words = 0, firstRow = 0, rows = 0;
        double left = 0, top = 0, width = 0, height = 0;
        QRectF box(int word) const {
            return {left + word % 32 * width, top + (word / 32 - firstRow) * height, width, height};
        }
    };
    Places places() const;
    /// One of two, one over the other: head and gate take less.
    bool low() const;
    QRectF gate() const;
    int wordAt(QPoint place) const;
    const gpu::FilmCell& cellOf(const Places& at, int word) const;
    void paintCells(QPainter& painter, const Places& at) const;
    void paintTouched(QPainter& painter, const Places& at) const;
    void paintGate(QPainter& painter) const;
    QColor inkOfPixel(std::int64_t value) const;

    FilmModel& m_model;
    DisplayRange m_range;
    int m_tileWidth = 0;
};

}  // namespace warplens::gui
