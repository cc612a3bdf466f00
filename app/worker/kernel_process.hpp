// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/check.hpp"
#include "gpu/trace/film.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace warplens::worker {

// What a process does that a kernel is loaded into, whatever its form.

/// Beside the pictures: our own code, stacks of fibers, shadows.
constexpr std::uint64_t kHeadroom = std::uint64_t{4} << 30;
/// What the trace keeps of a byte of a picture.
constexpr std::uint64_t kShadowBytes = 64;
/// Shared memory that a block may declare, as nvcc has it.
constexpr std::size_t kMostShared = 48 * 1024;

/// Where answers go.
void answerTo(int file);
void answer(std::string_view text);
/// Answers with a film.
void answerFilm(const gpu::Film& film);
/// Answers with an incident, and ends the process.
[[noreturn]] void report(const Incident& incident);

/// The kernel's rights from now on: it reads `scratch`, writes nothing, and has so much memory.
void confine(const std::filesystem::path& scratch, std::uint64_t memoryBytes);
/// The same of this thread beside the driver of a GPU, which has to go on.
void confineBesideDriver(const std::filesystem::path& scratch);
/// A signal is an incident from now on, and with `looks` so is a thread that does not end.
void catchSignals(bool looks = true);
/// Loads what was compiled, which is told of its whereabouts to the checks, or to the counts. Incidents until running()
/// say that they came while it was loaded. Reports what declares more shared memory than that.
void* load(const std::filesystem::path& file, bool counts, std::size_t mostShared = kMostShared);
void running();

}  // namespace warplens::worker
