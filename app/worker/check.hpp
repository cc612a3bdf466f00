// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/builtins.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::worker {

/// Memory that a kernel was given.
struct Range {
    std::string name{};  ///< as its parameter
    std::uint64_t begin = 0, end = 0;
    bool writable = false;
    bool shared = false;  ///< its values may be written by several threads: no races are looked for
};

/// What a kernel did that it must not. Places in its code are offsets into its file, 0 where they are not known.
struct Incident {
    std::string what{};  ///< "reads 4 bytes beyond the end of in", with the place left out
    std::string kind{};  ///< "data race", "illegal address" ...
    std::uint64_t place = 0, otherPlace = 0;
    std::string other{};  ///< what happened at the other place: "thread (1, 0, 0) writes it"
    uint3 block{}, thread{};
    bool located = false;  ///< whether block and thread are known
};

/// Called with the first incident; must not return.
using Report = void (*)(const Incident&);

/// From now on every access of the loaded kernel is checked against `ranges`, those it shares with others for races, by
/// its hooks. What is writable and not shared is the output, of `outputBytes` in values of `valueBytes`. `report` is
/// called on the thread that runs the kernel. One kernel a process, on one OS thread.
void watch(std::vector<Range> ranges, std::size_t outputBytes, std::size_t valueBytes, Report report);
/// Before a launch that follows another, to which it is no race, and may be given other memory.
void watchNext(std::vector<Range> ranges);
/// A file in the full form is given memory one by one, and asks for shared memory at each launch, which is no race to
/// the one before. What was given is written by several threads until one is the output.
void watchMemory(std::uint64_t begin, std::size_t bytes, std::string name);
void forgetMemory(std::uint64_t begin);
void watchInput(std::uint64_t begin, std::string name);
void watchOutput(std::uint64_t begin, std::size_t valueBytes);
void watchLaunch(std::size_t dynamicSharedBytes);
/// Where the kernel's code lies, and which thread-local block holds its shared memory.
void setModule(std::uint64_t base, std::uint64_t begin, std::uint64_t end, void* shared, std::size_t sharedBytes);
/// Checks for races and uninitialised shared memory cost most: off, bounds alone are checked.
void setThorough(bool thorough);
/// Threads that began or ended so far: one that stands still runs one thread for ever, or a launcher.
std::uint64_t progress();
bool inThread();
/// The place of an address in the kernel's code, or 0.
std::uint64_t placeOf(std::uint64_t address);
/// Where the kernel was last seen.
std::uint64_t lastPlace();

}  // namespace warplens::worker
