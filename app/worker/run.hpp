// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "gpu/device/device.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace warplens::worker {

/// What a compiled kernel is run on: memory that is shared with who asked.
struct Planes {
    const std::byte* input = nullptr;
    std::byte* output = nullptr;
};

/// Where the compiled kernel lies in the scratch folder: of the SIMT device, or of a GPU with its function's name.
inline constexpr const char* kObject = "kernel.so";
inline constexpr const char* kCubin = "kernel.cubin";
inline constexpr const char* kFunction = "kernel.name";
inline constexpr const char* kPtx = "kernel.ptx";

/// Written before each launch on a GPU, and white space to who reads the text after it: a launch has a deadline.
inline constexpr std::string_view kLaunched = "\n";
/// Written before what takes long beside launches.
inline constexpr std::string_view kPreparing = " ";

/// In a process of its own, which it ends: loads the kernel from `scratch`, runs it, and writes what came of it to
/// `answers`, one JSON text: {"run"}, {"incident"} or {"failure", "message"}. What befalls the process itself, as a
/// signal, is an incident as well as far as it can still be written.
/// `opened`: the GPU of the job, where its context was made before.
[[noreturn]] void runKernel(const Job& job, const Planes& planes, const std::filesystem::path& scratch, int answers,
                            std::unique_ptr<gpu::Device> opened = nullptr);

}  // namespace warplens::worker
