// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/variant.hpp"

#include <QString>

namespace warplens::gui {

/// The text of a variant's own kernel file, as it was built; empty for a library.
QString kernelSource(const gpu::Variant& variant);

}  // namespace warplens::gui
