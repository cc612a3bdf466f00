// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

namespace warplens::gui {

std::optional<BoxReads> Lens::boxReads(const gpu::ParameterValues&, const io::Grid&, const io::Grid*, QPoint,
                                       std::int64_t) const {
    return std::nullopt;
}

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
