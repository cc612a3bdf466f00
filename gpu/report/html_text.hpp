// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warplens::gpu::html {

/// Text that cannot become markup, in an element or in a quoted attribute.
std::string escaped(const std::string& text);
/// A data: URL of a PNG.
std::string pngUrl(std::span<const std::byte> png);

}  // namespace warplens::gpu::html
