// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::user {

/// A parameter of a kernel, its type as C++ writes it without spaces that could be left out: "const float*", "int".
struct KernelParameter {
    std::string type{}, name{};
};

/// A kernel of the user's in the short form: one __global__ function on plain pointers, in a file that may open with
/// comment lines. The first says what the idea is; `// tunable NAME = NUMBER (A, B, C)` or `(LEAST..MOST)` declares
/// one.
struct KernelSource {
    std::string file{};  ///< its name without folders, as errors show it
    std::string text{};
    std::string kernel{};  ///< what the function is called
    int line = 0;          ///< where
    std::vector<KernelParameter> parameters{};
    Variant variant{};                    ///< id of the file's name; tunables with the block's
    std::vector<std::string> declared{};  ///< ids of the tunables that the file declares
};

/// Throws Error(argument): one line that begins with file and line.
KernelSource parseSource(const std::string& path, const std::string& text);

/// The text with another number in its head. One that the head need not declare, as the block's, is put there, behind
/// the line that says what the idea is.
std::string withTunable(std::string text, const Tunable& tunable, int value);

}  // namespace warplens::gpu::user
