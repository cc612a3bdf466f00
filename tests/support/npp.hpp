// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/device_info.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <utility>

namespace warplens::gpu::testing {

/// Why NPP's row of a family refuses this on a GPU, or empty.
inline std::string whyNotNpp(const std::string& family, std::shared_ptr<const io::Grid> input,
                             const ParameterValues& parameters = {}) {
    DeviceInfo gpu;
    gpu.kind = DeviceKind::cuda;
    return familyOf(family).pose(std::move(input), parameters)->refusal(*findVariant(family, "npp"), {}, gpu);
}

/// What is said of a problem that NPP takes: nothing, or in one sentence that NPP is not here.
inline auto isEmptyOrNppMissing() {
    using ::testing::AnyOf, ::testing::MatchesRegex, ::testing::StrEq;
    return AnyOf(StrEq(""), StrEq("this program was built without the CUDA device"),
                 MatchesRegex("libnpp[a-z]+ was not found: install the CUDA toolkit's NPP, or set LD_LIBRARY_PATH"));
}

/// NPP's library holds no PTX of its mirrors: where the driver is made to compile from PTX alone it leaves the output
/// as it is and says nothing.
inline bool isLostToForcedJit(const RunRecord& run) {
    const char* forced = std::getenv("CUDA_FORCE_PTX_JIT");
    return run.variant == "npp" && forced != nullptr && *forced == '1';
}

}  // namespace warplens::gpu::testing
