// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/slab_map.hpp"
#include "gui/kit/paint.hpp"

#include <QRectF>
#include <QString>
#include <optional>

namespace warplens::gui {

/// Which device computed which slabs of a run: one bar from the first slice to the last, a colour a device, lines where
/// slabs meet, hatched what the device beside it reads as well.
class SlabStrip : public Plot {
    Q_OBJECT
public:
    explicit SlabStrip(QWidget* parent = nullptr);

    void setSlabs(const std::optional<gpu::SlabMap>& slabs);
    bool empty() const { return !m_slabs || m_slabs->held.empty(); }
    /// "cuda:1: slices 512 to 1023", or "cuda:1 (2)" of the second of several that have one id.
    static QString said(const gpu::SlabMap& slabs, const gpu::SlabMap::Stretch& held);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF bar() const;
    double x(std::int64_t line) const;

    std::optional<gpu::SlabMap> m_slabs;
};

}  // namespace warplens::gui
