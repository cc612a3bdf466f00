// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/report/recorded.hpp"
#include "gui/kit/paint.hpp"

#include <optional>
#include <vector>

namespace warplens::gui {

/// The newest recorded run of a product on the largest picture, which its head names; null where there is none. Lives
/// as long as `runs`.
const gpu::Report* recordedProducts(const gpu::RecordedRuns& runs, const gpu::RecordedTask& task);

/// What a product took on a GPU, recorded: the best row of each format, and the best library, beside the time of one
/// read and one write of the picture.
class ProductsView : public Plot {
    Q_OBJECT
public:
    explicit ProductsView(QWidget* parent = nullptr);
    /// Of a report of products, or null.
    void setReport(const gpu::Report* report);
    /// "NVIDIA H200, 8,192 × 8,192 f32, 23 Nov 2026"
    QString source() const;
    /// The rows, one line each, then the floor.
    QString spoken() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    struct Row {
        QString format;
        const gpu::Variant* variant;  ///< that was fastest
        gpu::Idea idea;               ///< whose mark the format has
        double ms;
        std::optional<double> percentOfLimit;
    };
    double high() const;

    const gpu::Report* m_report = nullptr;
    std::vector<Row> m_rows;
    std::optional<double> m_floor;  ///< ms, modelled
};

}  // namespace warplens::gui
