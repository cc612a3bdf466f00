// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/session/volume_state.hpp"
#include "gui/volume/ray_frames.hpp"

#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

class RayView;
class SliceView;

/// The 24 px line above a slice or the 3D view: shape of the result's idea, title, place; on the right where that is,
/// or angles and time.
class VolumeCaption : public QWidget {
    Q_OBJECT

public:
    struct Content {
        std::optional<gpu::Idea> idea;
        QString title;
        int axis = -1;  ///< the title has this axis' colour; -1: the text's
        QString detail, right;
        std::optional<double> ms;  ///< measured; after `right`
        QString tip;               ///< what the figures mean
        bool operator==(const Content&) const = default;
    };

    explicit VolumeCaption(QWidget* parent = nullptr);
    void setContent(const Content& content);
    const Content& content() const { return m_content; }
    void setCurrent(bool current);
    /// The caption as one plain sentence; accessible name.
    QString spoken() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Content m_content;
    bool m_current = false;
};

/// Axial, coronal and sagittal slice and the 3D view of one volume, each with its caption; one of them is current. A
/// double click or Enter shows the current one alone; of a picture the axial one stands alone by itself.
class VolumePanes : public QWidget {
    Q_OBJECT

public:
    /// Places of the panes; the slices are in the order of kSlicePlanes.
    enum Place { axial, coronal, sagittal, rays, kPlaces };

    /// `state` outlives this.
    explicit VolumePanes(VolumeState& state, QWidget* parent = nullptr);

    /// What the volume is, in a word of each caption; before setVolume().
    void setWhat(const QString& what) { m_what = what; }
    /// Null: `message` in every pane. `idea` is that of the variant whose result it is; none for an input.
    void setVolume(std::shared_ptr<const io::Grid> volume, std::optional<gpu::Idea> idea, const QString& message = {});
    const std::shared_ptr<const io::Grid>& volume() const { return m_volume; }
    SliceView* slice(SlicePlane plane) const { return m_slices[static_cast<std::size_t>(plane)]; }
    RayView* rayView() const { return m_rays; }
    RayFrames& frames() { return *m_frames; }
    VolumeCaption* caption(Place place) const { return m_captions[place]; }

    gpu::render::Mode mode() const { return m_mode; }
    void setMode(gpu::render::Mode mode);
    const std::vector<gpu::render::OpacityPoint>& opacity() const { return m_opacity; }
    void setOpacity(std::vector<gpu::render::OpacityPoint> points, bool moving = false);
    /// Whether the 3D view shows its fine frame, or cannot be seen.
    bool settled() const;

    Place current() const { return m_current; }
    /// Shows this pane alone, or none: all four.
    void setAlone(std::optional<Place> place);
    std::optional<Place> alone() const { return m_alone; }

    // Of the current pane.
    void zoomBy(double factor);
    void actualSize();
    void fit();

    QSize minimumSizeHint() const override;

signals:
    void currentChanged();
    void aloneChanged();

private:
    void setCurrent(Place place);
    void arrange();
    void request(bool moving);
    void refreshCaptions();
    void take(const RayFrame& frame);

    VolumeState& m_state;
    std::shared_ptr<const io::Grid> m_volume;
    QString m_what;
    std::optional<gpu::Idea> m_idea;
    std::array<QWidget*, kPlaces> m_cells{};
    std::array<VolumeCaption*, kPlaces> m_captions{};
    std::array<SliceView*, 3> m_slices{};
    RayView* m_rays;
    RayFrames* m_frames;
    gpu::render::Mode m_mode = gpu::render::Mode::maximum;
    std::vector<gpu::render::OpacityPoint> m_opacity{{0.15, 0}, {0.9, 0.35}};
    DisplayRange m_drawnRange;
    ColourMap m_drawnMap = ColourMap::grey;
    std::optional<double> m_frameMs;
    bool m_fineShown = false;
    bool m_flat = false;  ///< a picture: its one slice has all the room
    Place m_current = axial;
    std::optional<Place> m_alone;
};

}  // namespace warplens::gui
