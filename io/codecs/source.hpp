// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/limits.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace warplens::io::codecs {

/// What is to be decoded, which part of it, and within what.
struct Source {
    std::span<const std::byte> file;  ///< the whole file; for a codec that reads by name, its beginning
    std::int64_t fileBytes = 0;       ///< size of the whole file
    std::string path;                 ///< where it can be opened; empty: it exists in memory only
    std::string where;                ///< begins the messages
    Limits limits;
    int frame = 0;                         ///< as ReadOptions::frame
    std::string series;                    ///< as ReadOptions::series
    std::function<void(double)> progress;  ///< called with 0..1; may be empty

    void tell(double fraction) const {
        if (progress) progress(fraction);
    }
};

}  // namespace warplens::io::codecs
