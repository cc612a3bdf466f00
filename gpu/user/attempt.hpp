// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/run/runner.hpp"
#include "gpu/run/user_kernel.hpp"
#include "gpu/user/problem.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::user {

/// What came of a text that was tried.
struct Attempt {
    std::optional<RunRecord> record{};
    std::vector<KernelProblem> problems{};
    std::string refusal{};  ///< why nothing could be tried; empty: it was
    std::string text{};
    std::shared_ptr<const io::Grid> input{};  ///< what it ran on
    bool onCpu = false;

    /// Of the record: where its first wrong value is, x and y, and what that is: "1.5 instead of 1.25".
    struct Wrong {
        std::array<int, 2> at{};
        std::string value{};
    };
    std::optional<Wrong> wrong() const;
    /// "verified", "wrong" or "fault"; empty where it was not run.
    const char* state() const;
};

/// Compiles, runs and verifies a kernel alone. On the CPU, whose emulator checks every access, once and on at most
/// kCpuSide values a side of the request's input. Throws Error: what is no fault of the text, and Error(cancelled).
Attempt attempt(Request request, const KernelMaker& maker, const std::string& path, const std::string& text,
                Runner& runner, const std::stop_token& stop);
inline constexpr std::int64_t kCpuSide = 512;
/// As much of a picture as that.
std::shared_ptr<const io::Grid> partForCpu(const std::shared_ptr<const io::Grid>& input);

}  // namespace warplens::gpu::user
