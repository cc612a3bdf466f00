// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QString>
#include <string>

namespace warplens::gui {

/// The text of a variant's own kernel file, as it was built; empty for a library.
QString kernelSource(const gpu::Variant& variant);
/// The text of a kernel's file or of one that it includes, by its path below the root; empty when it is neither.
QString sourceOf(const std::string& path);

}  // namespace warplens::gui
