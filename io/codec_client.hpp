// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"
#include "io/grid.hpp"
#include "io/limits.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace warplens::io {

/// The warplens-codec to run: WARPLENS_CODEC when set, else beside the running program, in ../libexec/warplens, on
/// PATH. Empty when there is none.
std::filesystem::path findCodec();

/// Decodes a file in a process of its own. A request may take 30 s and what its size adds; WARPLENS_CODEC_TIMEOUT
/// (seconds) replaces the 30. Throws Error; a codec that crashes, hangs, lies or is missing is an Error as well.
Grid decodeWithCodec(const InputFile& file, const Limits& limits, const std::stop_token& stop);

/// Encodes in a process of its own and passes the file on, piece by piece, once the codec has all of it. `format` is
/// an id or a file extension; `where` begins the messages. Throws Error(unwritable) or Error(unsupported).
void encodeWithCodec(const Grid& grid, const std::string& format, const std::string& where,
                     const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace warplens::io
