// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace warplens::gpu::simt {

/// What a device has written to __constant__ arrays. Here those are variables of the program, one for all devices: the
/// launches of devices that have written any take turns, and each finds what its own device wrote. Thread-safe.
class Constants {
public:
    Constants() = default;
    ~Constants();
    Constants(const Constants&) = delete;
    Constants& operator=(const Constants&) = delete;

    void set(void* array, const void* values, std::size_t bytes);
    /// As long as it is held the arrays keep this device's values. Holds nothing where none were written.
    std::unique_lock<std::mutex> turn();

private:
    std::map<void*, std::vector<std::byte>> m_values;  ///< by array
};

}  // namespace warplens::gpu::simt
