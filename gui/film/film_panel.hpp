// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/film/film_model.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/picture/view_state.hpp"

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QSplitter;

namespace warplens::gui {

class FilmMemory;
class FilmLanes;
class SourceView;

/// A block's life, step by step: the picture with what its warps read and write, its shared memory by banks with the
/// barrier below, the source with the line of the step, and a lane a warp. Space plays, Left and Right step, with Shift
/// by phases, Up and Down choose a warp, Home and End.
class FilmPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilmPanel(QWidget* parent = nullptr);
    FilmModel& model() { return m_model; }
    /// A kernel that the variant launches, and how often.
    struct Kernel {
        std::string name;
        int launches = 1;
        bool operator==(const Kernel&) const = default;
    };
    /// As setTask() of the model; `kernels`: those of the variant as far as they are known, first the one that is
    /// filmed unless another is chosen; `footprint`: of its blocks; `source` its text.
    void setTask(std::optional<gpu::Request> request, const gpu::Variant* variant, const std::vector<Kernel>& kernels,
                 const std::optional<gpu::Footprint>& footprint, const QString& source, const QString& why);
    /// In which the picture is shown.
    void setDisplay(const DisplayRange& range, ColourMap map);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makePicture();
    QWidget* makeTransport();
    void refreshFilm();
    void refreshStep();
    void refreshOverlays();
    void layOut();
    /// A pixel of the block that the film is of, from which its tiles are found.
    std::optional<QPoint> blockPixel() const;
    void zoomToBlock();
    void choosePixel(QPoint pixel);
    void setKernels(const std::vector<Kernel>& kernels);
    /// A kernel or a launch of it was chosen.
    void chooseLaunch();

    FilmModel m_model;
    std::optional<gpu::Footprint> m_footprint;
    ViewState* m_view;
    ImageView* m_picture;
    PixelOverlay m_unread;
    TilesOverlay m_tiles;
    QLabel *m_title, *m_sentence, *m_cost, *m_where;
    FilmMemory* m_memory;
    SourceView* m_source;
    FilmLanes* m_lanes;
    QSplitter* m_columns;
    std::vector<Kernel> m_kernels;
    QComboBox* m_kernel = nullptr;
    QSpinBox* m_launch = nullptr;
    QPushButton *m_play = nullptr, *m_sourceButton = nullptr;
};

}  // namespace warplens::gui
