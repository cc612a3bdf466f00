// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "gpu/core/counters.hpp"
#include "gpu/core/record.hpp"
#include "gpu/device/simt/engine.hpp"
#include "gpu/trace/film.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace warplens::worker {

/// Whether what the hooks hear of is counted, as warplens-trace counts our own kernels, rather than checked.
inline bool counting = false;

/// Why nothing can be counted here, or empty.
std::string whyNoCounts();

/// From now on the hooks count: of a kernel that was loaded from `file`.
void beginToCount(const std::string& file, std::uint64_t base, std::uint64_t module);
/// The device whose launches are counted, and how one is made there: by what a thread calls, for a function of the
/// kernel's.
std::unique_ptr<gpu::Device> openCountingDevice();
void launchCounted(gpu::Device& device, const void* function, dim3 grid, dim3 block, std::size_t sharedBytes,
                   const gpu::simt::Thunk& thread);
/// A word that several threads may write at a time, all the same: no race.
void shareWord(const void* word);
/// The film of a block of what `work` launches there, on a picture of that shape whose planes lie in `input`, so many
/// values from row to row; `footprint` says which blocks a pixel is likely to belong to. Throws as gpu::FilmMaker.
gpu::Film film(gpu::Device& device, const std::function<void()>& work, const gpu::FilmQuery& query,
               const io::Shape& shape, const gpu::Footprint& footprint, const gpu::Buffer& input, std::int64_t pitch);
/// Fills in counters and launch of what `work` launches there; `input` is the buffer whose reuse is told. What is found
/// makes the record wrong.
void count(gpu::Device& device, const std::function<void()>& work, const gpu::Buffer& input, std::int64_t sampleWords,
           gpu::RunRecord& record);

// What the hooks hear of.
void countAccess(const volatile void* address, std::size_t bytes, gpu::Operation operation, const void* caller);
void countAtomic(const volatile void* address, std::size_t bytes, const void* caller);
void countAtomicDone(const volatile void* address);
void countFetch(const volatile void* address, std::size_t bytes, const void* caller);
/// `how` is a WarplensBetween.
void countBetween(const volatile void* address, std::size_t bytes, const void* caller, int how);
void countBetweenDone(const volatile void* address, std::size_t bytes, const void* caller, int how);
void countBlock(const void* caller);
void countFence();
void countOperations(int ofAtomics, int ofMatrices);
void countPause(int by);
/// Threads that began so far, and whether one runs.
std::uint64_t countedThreads();
bool countsNow();

}  // namespace warplens::worker
