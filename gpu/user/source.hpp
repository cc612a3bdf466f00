// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::gpu::user {

/// A parameter of a kernel, its type as C++ writes it without spaces that could be left out: "const float*", "int".
struct KernelParameter {
    std::string type{}, name{};
};

/// A kernel of the user's. In the short form it is one __global__ function on plain pointers, in a file that may open
/// with comment lines: the first says what the idea is; `// tunable NAME = NUMBER (A, B, C)` or `(LEAST..MOST)`
/// declares one. In the full form the file is one like our own (full_form.hpp).
struct KernelSource {
    std::string file{};  ///< its name without folders, as errors show it
    std::string text{};
    std::string kernel{};  ///< what the function is called
    int line = 0;          ///< where
    std::vector<KernelParameter> parameters{};
    Variant variant{};                    ///< id of the file's name; tunables with the block's
    std::vector<std::string> declared{};  ///< ids of the tunables that the file declares
    /// In the full form, else empty: the row that it stands in the place of, which is its variant's predecessor too,
    /// and the function that gives its entry, in `line`. A tunable that it declares is the row's, with a default of its
    /// own.
    std::string family{}, row{}, entry{};
    bool full() const { return !row.empty(); }
};

/// What `text`, a head's line behind its //, declares; nullopt: no tunable. Throws Error(argument), which names the
/// line, also for numbers below `least`.
std::optional<Tunable> tunableOf(const std::string& file, int line, std::string_view text, int least = 1);

/// What the path says of a source: file and variant's id; the text is not read.
KernelSource namedSource(const std::string& path, const std::string& text);

/// Throws Error(argument): one line that begins with file and line.
KernelSource parseSource(const std::string& path, const std::string& text);

/// The text with another number in its head. One that the head need not declare, as the block's, is put there, behind
/// the line that says what the idea is.
std::string withTunable(std::string text, const Tunable& tunable, int value);

}  // namespace warplens::gpu::user
