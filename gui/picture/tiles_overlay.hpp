// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/picture/image_view.hpp"

#include <QPoint>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace warplens::gui {

/// What the blocks of a kernel touch, over the picture: the grid of output tiles; of one block the tile it writes, what
/// it stages and the halo; the pixel chosen and what its result reads; the pixels of a warp's request.
class TilesOverlay : public ImageOverlay {
public:
    struct Scene {
        gpu::Footprint footprint;
        gpu::Idea idea{};
        std::optional<QPoint> pixel{};  ///< the block that writes it is drawn
        int taps = 0;                   ///< of a stencil: cells that one step of a cell reads, 3, 5, 7 or 27; 0: none
        std::vector<QPoint> warp{};
        bool reads = true;   ///< the pixel itself, and what its result reads
        bool labels = true;  ///< names beside the block, where there is room
    };

    /// Nothing: nothing is drawn. The view must be updated by who sets it.
    void setScene(std::optional<Scene> scene) { m_scene = std::move(scene); }
    const std::optional<Scene>& scene() const { return m_scene; }

    /// The tile that holds a pixel, and what its block stages, in picture coordinates; empty without tiles.
    static QRectF tileOf(const gpu::Footprint& footprint, QPoint pixel);
    static QRectF stagedOf(const gpu::Footprint& footprint, QPoint pixel);
    /// What each mark is, in the order drawn: "writes 28 × 28" ...; with it where it points, in picture coordinates.
    struct Label {
        QString text;
        QPointF at;
    };
    static std::vector<Label> labelsOf(const Scene& scene);
    /// What the chosen pixel's result reads, of which the picture is one plane: "pixel reads 5 × 5".
    static QString readsOf(const Scene& scene);

    void paint(QPainter& painter, const ImageView& view) override;

private:
    void paintGrid(QPainter& painter, const ImageView& view) const;
    void paintBlock(QPainter& painter, const ImageView& view) const;
    void paintRow(QPainter& painter, const ImageView& view) const;
    void paintPixel(QPainter& painter, const ImageView& view) const;
    void paintLabels(QPainter& painter, const ImageView& view) const;

    std::optional<Scene> m_scene;
};

}  // namespace warplens::gui
