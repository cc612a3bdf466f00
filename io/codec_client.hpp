// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/format.hpp"
#include "io/grid.hpp"
#include "io/read.hpp"

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

/// Decodes a file, or a folder of DICOM files, in a process of its own. `bytes` is what there is to read: a request may
/// take 30 s and what its size adds; WARPLENS_CODEC_TIMEOUT (seconds) replaces the 30. Throws Error; a codec that
/// crashes, hangs, lies or is missing is an Error as well.
Grid decodeWithCodec(const std::string& path, std::int64_t bytes, const ReadOptions& options);

/// Encodes in a process of its own and passes the file on, piece by piece, once the codec has all of it. `format` is
/// an id or a file extension; `where` begins the messages. Throws Error(unwritable), Error(unsupported)
/// or, when it was stopped, Error(cancelled).
void encodeWithCodec(const Grid& grid, const std::string& format, const std::string& where,
                     const EncodeOptions& options, const std::function<void(std::span<const std::byte>)>& sink,
                     const std::stop_token& stop = {});

}  // namespace warplens::io
