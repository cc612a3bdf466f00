// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/nvrtc.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warplens::gpu::cuda {

/// Compiled kernels in a folder, a file each, so that each is compiled once in a life. Several processes may share it:
/// files appear whole and are never changed. What cannot be read or written is as if it were not there.
class KernelCache {
public:
    static constexpr std::uintmax_t kMostBytes = 128 << 20;

    /// An empty path: nothing is kept.
    explicit KernelCache(std::filesystem::path folder, std::uintmax_t mostBytes = kMostBytes)
        : m_folder(std::move(folder)), m_mostBytes(mostBytes) {}

    /// What was kept for this key; a file that is damaged or of another key is removed.
    std::optional<CompiledKernel> find(const std::string& key) const;
    /// Keeps it; those that were not used for longest go when all take more than they may.
    void keep(const std::string& key, const CompiledKernel& kernel) const;
    /// Where a key's file lies.
    std::filesystem::path fileOf(const std::string& key) const;

private:
    void prune() const;

    std::filesystem::path m_folder;
    std::uintmax_t m_mostBytes;
};

/// Of this user: $XDG_CACHE_HOME/warplens/kernels or ~/.cache/warplens/kernels; empty where neither is known.
std::filesystem::path kernelCacheFolder();

}  // namespace warplens::gpu::cuda
