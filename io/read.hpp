// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/limits.hpp"

#include <stop_token>
#include <string>

namespace warplens::io {

struct ReadOptions {
    Limits limits;
    std::string axes;  ///< how an NPY is meant: "", "yx", "zyx", "yxc" or "zyxc"
    std::stop_token stop;
};

/// Reads a picture or volume. `input` is a path, or a generated input "gen:KIND:WxH[xD]:TYPE[:key=value]...".
/// NPY and gen: are read in process, every other format by warplens-codec in a process of its own.
/// Throws Error with one clear sentence; nothing is leaked.
Grid read(const std::string& input, const ReadOptions& options = {});

}  // namespace warplens::io
