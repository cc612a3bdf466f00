// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/record.hpp"
#include "gpu/core/variant.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QString>
#include <memory>
#include <optional>

namespace warplens::gui {

/// What one pane shows: a picture and the line above it.
struct PaneContent {
    QString key;                              ///< what stays the same between updates: "input" or the variant's id
    QString title;                            ///< bold: "Input", "naive"
    QString detail;                           ///< after the time, weaker: a file's name, "baseline"
    std::optional<gpu::Idea> idea;            ///< of a result; none for the input
    std::shared_ptr<const io::Grid> picture;  ///< null: `message` is shown instead
    QString message;                          ///< "computing ..." or why there is no result
    std::optional<double> timeMs;             ///< kernel time; only of a verified result
    Origin timeOrigin = Origin::measured;
    bool ranked = true;                ///< false: a time that ranks nothing (CPU), written in text 3
    std::optional<ResultState> state;  ///< badge on the right
    QString hint;                      ///< on the right when there is no badge: "reference"
    std::optional<Origin> hintOrigin;  ///< of a figure in the hint
    std::optional<gpu::Idea> against;  ///< of a difference: `idea` minus this one
    /// Of a picture of another kind than input and results: a range and colours of its own, and nothing to flip to.
    std::optional<OwnDisplay> display;
    QString legend;  ///< what `display` shows: "ulp"; empty: no legend
    /// Instead of a picture, when a result has none: counts by bins are drawn, other tables are written out.
    std::shared_ptr<const gpu::BinnedCounts> histogram;
    gpu::Tables tables;
};

/// The pane of the input picture.
PaneContent inputPane(std::shared_ptr<const io::Grid> picture, const QString& fileName);
/// The pane of one result. A result that is not verified shows no time; CPU times are marked as ranking nothing.
PaneContent resultPane(const gpu::RunRecord& record, const gpu::Variant& variant, bool baseline);

/// The exact stored values at a pixel, channels by comma: "192, 67, 37" or "30.435518" (by semicolon
/// where numbers hold commas). Empty outside the picture.
QString pixelText(const io::Grid& grid, std::int64_t x, std::int64_t y, std::int64_t slice = 0);

}  // namespace warplens::gui
