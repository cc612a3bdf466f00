// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/families/scan/task.hpp"
#include "gui/lenses/scan/window_reads.hpp"

#include <QCoreApplication>

namespace warplens::gui {

namespace {

/// The reads of a window around the cursor, and grey values evened out from the menu.
class ScanLens : public Lens {
    Q_DECLARE_TR_FUNCTIONS(ScanLens)
public:
    std::vector<PictureCommand> pictureCommands() const override {
        return {{.action = "equalise-picture",
                 .text = tr("E&qualise histogram"),
                 .done = tr("equalised"),
                 .values = {{"task", std::string("equalise")}}},
                {.action = "local-contrast",
                 .text = tr("Even out local c&ontrast (CLAHE)"),
                 .done = tr("local contrast evened out"),
                 .values = {{"task", std::string("clahe")}, {"clip", 2.0}}}};
    }

    std::optional<BoxReads> boxReads(const gpu::ParameterValues& values, const io::Grid& input, const io::Grid* result,
                                     QPoint pixel, std::int64_t slice) const override {
        const gpu::scan::ScanOptions asked = gpu::scan::parameters().read(values);
        const bool integral = asked.task == gpu::scan::Task::integral;
        if (!integral && !asked.windows()) return std::nullopt;
        const double largest = input.type() == io::PixelType::u8 ? 255 : input.type() == io::PixelType::u16 ? 65535 : 0;
        const bool there = integral && result != nullptr && result->shape() == input.shape();
        return windowReads(input.shape(), there ? result : nullptr, largest, pixel, slice, asked.radius);
    }
};

}  // namespace

WARPLENS_LENS_OF(scan, ScanLens)

}  // namespace warplens::gui
