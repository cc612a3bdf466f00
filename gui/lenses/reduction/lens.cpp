// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include <QCoreApplication>

namespace warplens::gui {

namespace {

/// Projections of the open volume from the menu.
class ReductionLens : public Lens {
    Q_DECLARE_TR_FUNCTIONS(ReductionLens)
public:
    std::vector<PictureCommand> pictureCommands() const override {
        const auto along = [](const char* keep) {
            return gpu::ParameterValues{{"along", std::string("z")}, {"keep", std::string(keep)}};
        };
        return {{.action = "project-maximum",
                 .text = tr("Z projection, ma&ximum"),
                 .done = tr("maximum along z"),
                 .values = along("maximum"),
                 .ofVolumes = true},
                {.action = "project-mean",
                 .text = tr("Z projection, m&ean"),
                 .done = tr("mean along z"),
                 .values = along("mean"),
                 .ofVolumes = true}};
    }
};

}  // namespace

WARPLENS_LENS_OF(reduction, ReductionLens)

}  // namespace warplens::gui
