// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/model/occupancy.hpp"

#include <QWidget>

namespace warplens::gui {

/// The places for warps on one multiprocessor: those taken in the colour of the variant's idea, block by block, the
/// others empty.
class OccupancyBar : public QWidget {
    Q_OBJECT
public:
    explicit OccupancyBar(QWidget* parent = nullptr);
    void setOccupancy(const gpu::Occupancy& occupancy, gpu::Idea idea);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    gpu::Occupancy m_occupancy;
    gpu::Idea m_idea{};
};

}  // namespace warplens::gui
