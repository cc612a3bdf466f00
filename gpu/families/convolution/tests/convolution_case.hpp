// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_case.hpp"

#include <memory>
#include <string>
#include <utility>

namespace warplens::gpu::testing {

inline Request requestFor(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                          const std::string& device) {
    return requestFor("convolution", std::move(input), std::move(parameters), device);
}

}  // namespace warplens::gpu::testing
