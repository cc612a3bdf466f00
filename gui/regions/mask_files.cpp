// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/mask_files.hpp"

#include "gui/kit/files.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/file_formats.hpp"

namespace warplens::gui {

void offerMaskFiles(RegionStrip& strip, CompareSession& session) {
    QObject::connect(&strip, &RegionStrip::openWanted, &strip, [&strip, &session] {
        openFileDialog(strip.window(), {.title = RegionStrip::tr("Open a mask"), .id = "open-mask"}, &strip,
                       [&session](const QString& path) {
                           session.inputs().readAside(path, [&session](const io::Grid& picture) {
                               const QString why = session.mask().take(picture);
                               if (!why.isEmpty()) session.activity().report(why);
                           });
                       });
    });
    QObject::connect(&strip, &RegionStrip::saveWanted, &strip, [&strip, &session] {
        const bool volume = session.mask().shape().depth > 1;
        const QString usual = volume ? QStringLiteral("nrrd") : QStringLiteral("png");
        openFileDialog(strip.window(),
                       {.title = RegionStrip::tr("Save the mask"),
                        .filters = saveFilters(volume, usual, io::PixelType::u8),
                        .suffix = usual,
                        .name = QStringLiteral("mask"),
                        .id = "save-mask"},
                       &strip, [&session](const QString& path) {
                           if (const auto mask = session.mask().picture()) session.outputs().write(mask, path);
                       });
    });
}

}  // namespace warplens::gui
