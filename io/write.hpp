// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/fit_format.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::io {

struct WriteOptions {
    EncodeOptions encode{};
    /// Where the format cannot hold the values: how they are brought into those it can (fit_format.hpp). None: it is
    /// refused.
    std::optional<FitOptions> fit{};
    std::stop_token stop{};  ///< ends it with Error(cancelled), the codec with it; the old file, if any, stays
};

/// Writes the picture or volume in the format its name ends in (see format.hpp), atomically: the old file or the new
/// one stands there, never a torn one. Spacing, origin and direction go into NRRD and MetaImage, to the last bit, and
/// into NIfTI, as its sform, in single precision. Throws Error(unwritable) or Error(unsupported); when the format
/// cannot hold the type the message names one that can.
void write(const Grid& grid, const std::filesystem::path& path, const WriteOptions& options = {});

/// The encoded file in memory; format is an id or extension of formats(). Throws as write().
std::vector<std::byte> encode(const Grid& grid, const std::string& format, const WriteOptions& options = {});

/// Writes bytes to a temporary file beside `path`, syncs, renames. Throws Error(unwritable).
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path& path, const std::string& text);

}  // namespace warplens::io
