// SPDX-License-Identifier: Apache-2.0
// Before Qt, whose keyword macros would rewrite the name `slots` in it.
#include "gui/session/lens.hpp"

#include "gpu/families/histogram/tone.hpp"
#include "gui/lenses/histogram/histogram_jobs.hpp"
#include "gui/lenses/histogram/histogram_page.hpp"
#include "gui/picture/statistics.hpp"

#include <QCoreApplication>

namespace warplens::gui {

namespace {

/// A page of the counts, and how lanes meet in a bin: each pixel is read once, which no map need show.
class HistogramLens : public Lens {
    Q_DECLARE_TR_FUNCTIONS(HistogramLens)
public:
    Page* makePage(CompareSession& session, ViewState& display, QWidget* parent) const override {
        return new HistogramPage(session, display, parent);
    }

    std::vector<PictureCommand> pictureCommands() const override {
        return {{.action = "stretch-picture",
                 .text = tr("Stretch &contrast"),
                 .done = tr("stretched"),
                 .work = [](const io::Grid& picture) {
                     const DisplayRange range = autoRange(statisticsOf(picture));
                     return gpu::histogram::stretch(picture, range.low, range.high);
                 }}};
    }

    const PixelMap* pixelMap() const override {
        static const PixelMap map{
            .name = tr("Contention"),
            .detail = tr("%1, lanes of a warp in one bin"),
            .waiting = tr("counting which lanes meet in one bin"),
            .legend = tr("lanes that meet"),
            .atPixel = tr("%1 lanes meet"),
            .count = [](const std::shared_ptr<const io::Grid>& input, const gpu::ParameterValues& values,
                        const std::string& variant, const gpu::DeviceInfo& device, const std::stop_token& stop) {
                const LaneMap lanes = countLanes({input, values}, variant, 0, device, stop);
                return PixelMap::Counted{lanes.map, lanes.reason};
            }};
        return &map;
    }
};

}  // namespace

WARPLENS_LENS_OF(histogram, HistogramLens)

}  // namespace warplens::gui
