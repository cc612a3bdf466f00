// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/run/user_kernel.hpp"

#include <QString>
#include <map>
#include <memory>
#include <string>

namespace warplens::gui {

/// The text of a variant's own kernel file, as it was built; empty for a library.
QString kernelSource(const gpu::Variant& variant);
/// The text of a kernel's file or of one that it includes, by its path below the root; empty when it is neither.
QString sourceOf(const std::string& path);

/// A kernel of the user's that stands below a family's ladder as a row of it.
struct OwnKernel {
    std::shared_ptr<const gpu::UserKernel> kernel;
    std::string path;  ///< of the file that holds this very text; empty: none does
};

/// By the ids of rows, for command lines: where the text lies, or empty.
using KernelPaths = std::map<std::string, std::string>;

}  // namespace warplens::gui
