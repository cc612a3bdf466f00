// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/pyramid.hpp"
#include "gui/picture/render.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QObject>
#include <memory>
#include <stop_token>

namespace warplens::gui {

/// One picture as a view draws it: its reduced levels, made on another thread, and what was drawn of it last. A view
/// that flips between two pictures has a layer for each, so that flipping draws at once.
class PictureLayer : public QObject {
    Q_OBJECT
public:
    explicit PictureLayer(QObject* parent = nullptr);
    ~PictureLayer() override;

    /// Returns at once. The same picture changes nothing.
    void setPicture(std::shared_ptr<const io::Grid> picture);
    const std::shared_ptr<const io::Grid>& picture() const { return m_picture; }
    /// Whether the reduced levels are not being made just now.
    bool settled() const { return m_settled; }
    /// What making the present reduced levels took, in ms; 0: none were needed.
    double levelsMs() const { return m_levelsMs; }
    /// What was drawn is of no use any more.
    void invalidate() { m_drawn = {}; }
    /// A reduced level belongs to one slice.
    void sliceChanged();
    /// Whether it is drawn as it will stay; its reduced levels are made when it needs them. There must be a picture.
    bool ready(const RenderRequest& request);
    /// The picture drawn as `request` says, `request.size` being device pixels. There must be a picture.
    const QImage& drawn(const RenderRequest& request, double devicePixelRatio);

signals:
    void settledChanged();

private:
    void buildLevels(std::int64_t slice);

    std::shared_ptr<const io::Grid> m_picture;
    std::shared_ptr<const gpu::render::Pyramid> m_pyramid;
    std::stop_source m_stop;
    std::int64_t m_slice = 0;
    QImage m_drawn;
    bool m_settled = true;
    double m_levelsMs = 0;
};

}  // namespace warplens::gui
