// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/simt/constants.hpp"

#include <cstring>

namespace warplens::gpu::simt {
namespace {

std::mutex turns;
const Constants* written = nullptr;  ///< whose values the arrays hold

}  // namespace

Constants::~Constants() {
    const std::lock_guard lock(turns);
    if (written == this) written = nullptr;
}

void Constants::set(void* array, const void* values, std::size_t bytes) {
    const auto* from = static_cast<const std::byte*>(values);
    const std::lock_guard lock(turns);
    // A shorter write leaves what lies behind it.
    std::vector<std::byte>& kept = m_values[array];
    if (kept.size() < bytes) kept.resize(bytes);
    std::memcpy(kept.data(), from, bytes);
    if (written == this) written = nullptr;
}

std::unique_lock<std::mutex> Constants::turn() {
    std::unique_lock lock(turns);
    if (m_values.empty()) return {};
    if (written != this)
        for (const auto& [array, values] : m_values) std::memcpy(array, values.data(), values.size());
    written = this;
    return lock;
}

}  // namespace warplens::gpu::simt
