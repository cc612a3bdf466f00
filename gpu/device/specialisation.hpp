// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::gpu {

/// How a kernel ran of which an instance can be compiled for the task at hand.
struct Specialisation {
    bool used = false;     ///< the specialised instance ran, else the general one
    double compileMs = 0;  ///< what the compiler took for it, now or when the cache got it
    bool cached = false;   ///< it came from the cache on disk
    double readyMs = 0;    ///< from asking for it to holding it, this time
    std::string reason{};  ///< why the general instance ran
    bool pending = false;  ///< since the specialised one was still being compiled
    bool weights = false;  ///< the instance that ran is for these weights alone, which the compiler got as constants

    bool operator==(const Specialisation&) const = default;
};

/// "specialised" or "general".
inline const char* kindOf(const Specialisation& special) { return special.used ? "specialised" : "general"; }

/// What this program says of compiling kernels for the task at hand.
struct SpecialisingState {
    std::string compiler{};  ///< "NVRTC 13.0", or empty
    std::string why{};       ///< why nothing is compiled: one sentence that says what to do; empty when it is
};

/// Looks for the compiler on the first call. Never throws.
SpecialisingState specialisingState();

}  // namespace warplens::gpu
