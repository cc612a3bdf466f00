// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/device.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu {

void Device::checkLimit(std::size_t bytes) const {
    if (m_memoryLimit == 0 || m_allocated + static_cast<std::int64_t>(bytes) <= m_memoryLimit) return;
    throw Error(Error::Kind::outOfMemory, info().id + ": " + std::to_string(bytes) + " bytes more than the " +
                                              std::to_string(m_allocated) + " in use break the memory limit of " +
                                              std::to_string(m_memoryLimit) +
                                              " bytes: raise it or take a smaller picture");
}

}  // namespace warplens::gpu
