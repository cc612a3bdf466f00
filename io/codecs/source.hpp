// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// Every header of a volume fits, one that names a thousand files included.
constexpr std::int64_t kHeadBytes = 256 << 10;

/// What is to be decoded, which part of it, and within what.
struct Source {
    std::span<const std::byte> file;  ///< the whole file; for a codec that reads by name, its beginning
    std::int64_t fileBytes = 0;       ///< size of the whole file
    std::string path;                 ///< where it can be opened; empty: it exists in memory only
    std::string where;                ///< begins the messages
    Limits limits;
    int frame = 0;                         ///< as ReadOptions::frame
    std::string series;                    ///< as ReadOptions::series
    std::vector<std::string> files;        ///< of a folder, the DICOM files in it; empty: not listed yet
    std::function<void(double)> progress;  ///< called with 0..1; may be empty
    /// Called with the title of the format once it is known; may be empty.
    std::function<void(const std::string&)> identified = {};
    /// Called with the name of each plain file beside this one that the header names; may be empty.
    std::function<void(const std::string&)> named = {};

    void tell(double fraction) const {
        if (progress) progress(fraction);
    }
};

}  // namespace warplens::io::codecs
