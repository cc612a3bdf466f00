// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/read.hpp"

#include <string>
#include <vector>

namespace warplens::io {

/// True for "series:...".
bool isPictureSeries(const std::string& input);

/// The files that `series:FOLDER/slice-###.png` stands for, in the order of their numbers. The signs # in the name
/// stand for digits: `###` for three (or more, where the number needs more), `#` for a number without leading zeros;
/// `%03d` and `%d` mean the same. Numbers have to follow one another. Throws Error: argument (no or several places for
/// a number), unreadable (no such files, or one missing in between).
std::vector<std::string> filesOfSeries(const std::string& input);

/// Reads them one after the other, each as io::read() does, into one volume: they have to agree in size and type.
/// Throws Error.
Grid readPictureSeries(const std::string& input, const ReadOptions& options);

}  // namespace warplens::io
