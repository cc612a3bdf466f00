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

/// A library's calls on a device, which a session makes again and again.
struct LibraryCalls {
    std::function<void()> launch{};
    /// Where the library writes elsewhere than kernels do: fills that with a pattern, and brings what is there to where
    /// kernels leave it, untimed; else null.
    std::function<void()> poison{}, finish{};
};

/// What stands behind a library row, as a KernelEntry does behind a kernel's; library ID of variants.inc has its
/// ID_library(). P are the family's problems, A is what its launchers see, B how it says bounds.
template <class P, class A, class B = double>
struct LibraryEntry {
    /// Why the library cannot do it, or empty; null where it can do everything.
    std::string (*refusal)(const P&) = nullptr;
    /// On the host; `milliseconds` of the library's calls alone.
    Result (*run)(const P&, double& milliseconds, const std::stop_token& stop) = nullptr;
    /// On the device instead. Neither: this program has it not.
    LibraryCalls (*open)(Device&, const A&) = nullptr;
    B bound{};              ///< how far its results may be off, where that is not as the kernels'
    const char* note = "";  ///< how its definition differs, for the record
};

template <class Calls>
LibraryCalls launching(Calls calls) {
    return {.launch = [kept = std::make_shared<Calls>(std::move(calls))] { kept->launch(); }};
}

}  // namespace warplens::gpu
