// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/code_needs.hpp"

namespace warplens::gpu {
namespace {

std::string capabilityText(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

}  // namespace

std::string refusalOf(const CodeNeeds& needs, const DeviceInfo& device,
                      std::optional<int> (*compiled)(const void*, const DeviceInfo&)) {
    if (needs.capability == 0 || !device.ranks()) return {};
    const std::string needed = capabilityText(needs.capability);
    const int own = 10 * device.capabilityMajor + device.capabilityMinor;
    if (own < needs.capability) return "needs compute capability " + needed + "; this GPU has " + capabilityText(own);
    const auto code = compiled(needs.kernel(), device);
    if (code.value_or(needs.capability) >= needs.capability) return {};
    return "needs code for compute capability " + needed + "; this program's is for " + capabilityText(*code) +
           ": build it with CMAKE_CUDA_ARCHITECTURES=" + std::to_string(own);
}

}  // namespace warplens::gpu
