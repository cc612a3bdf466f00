// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"
#include "gpu/device/device.hpp"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

namespace warplens::gpu {

/// What stands behind a library row, as a KernelEntry does behind a kernel's; library ID of variants.inc has its
/// ID_library(). P are the family's problems, A is what its launchers see.
template <class P, class A>
struct LibraryEntry {
    /// Why the library cannot do it, or empty; null where it can do everything.
    std::string (*refusal)(const P&) = nullptr;
    /// On the host; `milliseconds` of the library's calls alone.
    Result (*run)(const P&, double& milliseconds, const std::stop_token& stop) = nullptr;
    /// On the device instead: returns what makes the calls of one run. Neither: this program has it not.
    std::function<void()> (*open)(Device&, const A&) = nullptr;
    double bound = 0;            ///< relative error that its results may have beyond the kernels'
    const char* note = nullptr;  ///< how its definition differs, for the record
};

/// Calls that are launched again and again, as LibraryEntry::open() returns them.
template <class Calls>
std::function<void()> launching(Calls calls) {
    return [kept = std::make_shared<Calls>(std::move(calls))] { kept->launch(); };
}

}  // namespace warplens::gpu
