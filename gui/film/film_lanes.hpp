// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/film/film_clock.hpp"
#include "gui/film/film_model.hpp"
#include "gui/kit/paint.hpp"

#include <QWidget>

namespace warplens::gui {

/// A lane a warp: what each has done and has to do, phase by phase, and the head at the step shown, which is dragged.
class FilmLanes : public Plot {
    Q_OBJECT
public:
    /// On the clock's axis, which two films share.
    FilmLanes(FilmModel& model, const FilmClock& clock, QWidget* parent);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    double xOf(double column) const;
    int rowHeight() const;
    int shownWarps() const;
    int firstWarp() const;
    void paintPhases(QPainter& painter) const;
    void paintBarriers(QPainter& painter) const;
    void paintLane(QPainter& painter, int warp, const QRectF& row) const;
    void choose(QPoint place, bool phases);

    FilmModel& m_model;
    const FilmClock& m_clock;
};

}  // namespace warplens::gui
