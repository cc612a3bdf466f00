// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens::gpu::history {

/// A text by zlib, which checks it when it is unpacked.
std::vector<unsigned char> pack(const std::string& text);
/// The text of so many bytes; throws std::runtime_error when the bytes are not what pack() made of it.
std::string unpack(std::span<const unsigned char> packed, std::int64_t bytes);

/// "fnv1a64:" and 16 hexadecimal digits. Tells texts apart; no protection against forgery.
std::string hashOf(const std::string& text);

}  // namespace warplens::gpu::history
