// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/film/film_clock.hpp"
#include "gui/film/film_model.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/picture/view_state.hpp"

#include <QWidget>
#include <optional>

class QLabel;

namespace warplens::gui {

class FilmLanes;
class FilmMemory;
class FilmOverview;

/// All that is shown of one film: the picture with what its warps touch now and a sentence below, its shared memory
/// with the barrier, and its lanes. Who makes it gives each of the three its place.
class FilmSide : public QObject {
    Q_OBJECT
public:
    /// `view`: the region shown, which both sides share. Widgets of the second have "-2" after their names.
    FilmSide(FilmModel& model, FilmClock& clock, ViewState& view, bool second, QWidget* parent);

    QWidget* pictureBox() const { return m_box; }
    QWidget* memory() const;
    QWidget* lanes() const;
    FilmModel& model() const { return m_model; }
    /// As setTask() of the model; `footprint`: of its blocks, where it is known.
    void setTask(std::optional<gpu::Request> request, const gpu::Variant* variant,
                 const std::optional<gpu::Footprint>& footprint, const QString& why);
    /// In which the picture is shown.
    void setRange(const DisplayRange& range);
    /// Half of the room is left: a line less below the picture.
    void setDense(bool dense);
    /// Whether the block keeps anything in shared memory, or waits at a barrier.
    bool keeps() const;
    /// Whether it reads or writes pixels of the picture, as one that sorts its values does not.
    bool onPicture() const;
    /// A pixel of the block that the film is of, from which its tiles are found.
    std::optional<QPoint> blockPixel() const;
    void zoomToBlock();

signals:
    /// A pixel that no step of the film touches was chosen: the block that has to do with it is wanted.
    void blockWanted(int x, int y, int z);

private:
    void refreshFilm();
    void refreshStep();
    void refreshOverlays();
    QString title() const;
    QRectF blockBox() const;
    void choosePixel(QPoint pixel);

    FilmModel& m_model;
    FilmClock& m_clock;
    ViewState& m_view;
    std::optional<gpu::Footprint> m_known, m_footprint;
    QWidget* m_box;
    ImageView* m_picture;
    PixelOverlay m_unread;
    TilesOverlay m_tiles;
    FilmOverview* m_overview;
    QLabel *m_title, *m_sentence, *m_cost;
    FilmMemory* m_memory;
    FilmLanes* m_lanes;
    bool m_dense = false;
};

}  // namespace warplens::gui
