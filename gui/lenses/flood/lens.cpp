// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/lens.hpp"

namespace warplens::gui {

namespace {

/// Steps have a range of their own, from -1 outside to the last level.
class FloodLens : public Lens {
public:
    bool ownRange(const gpu::ParameterValues&) const override { return true; }
};

}  // namespace

namespace lenses {

const Lens& flood() {
    static const FloodLens lens;
    return lens;
}

}  // namespace lenses

}  // namespace warplens::gui
