// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/user/source.hpp"
#include "gpu/user/tokens.hpp"
#include "io/pixel_type.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::user {

// The full form of a kernel's file is that of our own: kernels of any types, a launcher, and KernelEntry NAME_entry().
// It stands in the place of one of our rows, whose tunables, range and refusals it has. Which one a line of its head
// says, "Copy of: FAMILY/VARIANT", or else the namespace and NAME.

/// Of a text that has an entry. Throws Error(argument): one line that begins with file and line.
std::optional<KernelSource> parseFullForm(const std::string& path, const std::string& text,
                                          const std::vector<Token>& tokens);

/// A variant's own file, `text`, as one in the full form to begin with. Throws Error(unsupported) for what is no kernel
/// of ours.
std::string copyOf(const Family& family, const Variant& variant, const std::string& text);

/// What stands before and after the text of such a file, to compile it for the SIMT device: the types of samples that
/// launchers choose among, none for all, and a function that gives the address of the entry.
std::string prologueOfFullForm(const std::vector<io::PixelType>& types);
std::string callerOfFullForm(const KernelSource& source);
/// A kernel's instance as C++ names it, of what it is called in that code: none where it has no name outside its file.
std::optional<std::string> instanceNamed(const std::string& mangled);
/// What that function is called: const void*().
inline constexpr const char* kEntry = "warplens_entry";

}  // namespace warplens::gpu::user
