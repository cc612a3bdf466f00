// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

namespace warplens::gui {

std::vector<Lens::FormPart> Lens::formParts(RequestState&, const Refuse&, QWidget*) const { return {}; }

std::vector<Lens::FormPart> Lens::editors(RequestState&, const Refuse&, QWidget*) const { return {}; }

std::vector<Lens::ValuesFile> Lens::valuesFiles() const { return {}; }

std::vector<Lens::PictureCommand> Lens::pictureCommands() const { return {}; }

std::optional<BoxReads> Lens::boxReads(const gpu::ParameterValues&, const io::Grid&, const io::Grid*, QPoint,
                                       std::int64_t) const {
    return std::nullopt;
}

QWidget* Lens::makeLayer(RequestState&, ImageView&) const { return nullptr; }

Page* Lens::makePage(CompareSession&, ViewState&, QWidget*) const { return nullptr; }

const PixelMap* Lens::pixelMap() const { return nullptr; }

int Lens::taps(const RequestState&) const { return 0; }

void Lens::addVolumeActions(RequestState&, Activity&, VolumeState&, Page&) const {}

// A row WARPLENS_LENS(NAME) for every folder gui/lenses/NAME, which defines warplens::gui::lenses::NAME().
#define WARPLENS_LENS(name) \
    namespace lenses {      \
    const Lens& name();     \
    }
#include "lenses.inc"
#undef WARPLENS_LENS

const Lens& lensOf(const gpu::Family& family) {
#define WARPLENS_LENS(name) \
    if (family.id() == #name) return lenses::name();
#include "lenses.inc"
#undef WARPLENS_LENS
    static const Lens none;
    return none;
}

}  // namespace warplens::gui
