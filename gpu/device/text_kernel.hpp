// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <array>
#include <memory>
#include <string>

namespace warplens::gpu {

/// A kernel given as text, compiled by NVRTC for one compute capability.
struct CompiledText {
    std::string code{};
    std::string function{};  ///< its name in the code
    std::string ptx{};       ///< with line information, as the code has
};

/// Such a kernel on a CUDA device, which outlives it.
class TextKernel {
public:
    virtual ~TextKernel() = default;
    /// Asynchronous; `arguments` are their addresses. Throws Error.
    virtual void launch(const std::array<unsigned, 3>& grid, const std::array<unsigned, 3>& block,
                        void** arguments) = 0;
};

/// Why no text can be compiled here for a GPU of this capability (10 x major + minor), one sentence that says what to
/// do; empty where it can.
std::string textRefusal(int capability);
/// Loads all that compileText() takes, for a process that gives up reading files before it calls that.
void loadTextCompiler();
/// Compiles the text, whose __global__ function is `kernel`. Throws Error(argument) with all that the compiler wrote,
/// and Error(unsupported).
CompiledText compileText(const std::string& text, const std::string& kernel, int capability);
/// Throws Error.
std::unique_ptr<TextKernel> loadText(Device& device, const CompiledText& text);

}  // namespace warplens::gpu
