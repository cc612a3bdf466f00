// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "tests/support/family_case.hpp"

#include <cstdint>
#include <string>

namespace warplens::gpu::testing {

inline ParameterValues iterate(const std::string& name, std::int64_t iterations) {
    return {{"stencil", name}, {"iterations", iterations}};
}

inline Result runOnce(Session& session, Device& device, const Variant& variant) {
    double layoutMs = 0, downloadMs = 0;
    session.prepare(variant, resolve(variant, {}));
    session.poisonOutput();
    session.pass(device);
    auto result = session.download(layoutMs, downloadMs);
    session.pass(device);  // for the clock; must leave the result alone
    return result;
}

}  // namespace warplens::gpu::testing
