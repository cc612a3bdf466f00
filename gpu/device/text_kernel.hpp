// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A kernel given as text, compiled by NVRTC for one compute capability.
struct CompiledText {
    std::string code{};
    std::string function{};                ///< its name in the code
    std::string ptx{};                     ///< with line information, as the code has
    std::vector<std::string> constants{};  ///< names in the code of those that were asked for
};

/// Such a kernel on a CUDA device, which outlives it.
class TextKernel {
public:
    virtual ~TextKernel() = default;
    /// Asynchronous; `arguments` are their addresses. Throws Error.
    virtual void launch(const std::array<unsigned, 3>& grid, const std::array<unsigned, 3>& block,
                        void** arguments) = 0;
};

/// The kernels of a file whose own launchers launch them on a CUDA device, which outlives it: each instance is compiled
/// when it is first launched.
class TextKernels {
public:
    struct Launch {
        std::string instance{};  ///< as C++ names it
        std::array<unsigned, 3> grid{}, block{};
        std::size_t sharedBytes = 0;  ///< dynamic ones
        void** arguments = nullptr;   ///< their addresses
    };
    virtual ~TextKernels() = default;
    /// Asynchronous. Nothing is launched while the device plans. Throws Error, and Error(argument) as compileText().
    virtual void launch(const Launch& launch) = 0;
    /// Writes a __constant__ array, of its qualified name, for the launches that follow.
    virtual void setConstant(const std::string& name, std::span<const std::byte> values) = 0;
    /// Waits for what was launched, unless it is being recorded.
    virtual void wait() = 0;
};

/// Why no text can be compiled here for a GPU of this capability (10 x major + minor), one sentence that says what to
/// do; empty where it can.
std::string textRefusal(int capability);
/// Loads all that compileText() takes, for a process that gives up reading files before it calls that.
void loadTextCompiler();
/// Compiles the text, whose __global__ function is `kernel`. Throws Error(argument) with all that the compiler wrote,
/// and Error(unsupported). `constants` are __constant__ arrays by their qualified names.
CompiledText compileText(const std::string& text, const std::string& kernel, int capability,
                         const std::vector<std::string>& constants = {});
/// Throws Error.
std::unique_ptr<TextKernel> loadText(Device& device, const CompiledText& text);
/// `compiling` is called before each compilation.
std::unique_ptr<TextKernels> openText(Device& device, std::string text, std::function<void()> compiling);

}  // namespace warplens::gpu
