// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/limits.hpp"

#include <functional>
#include <stop_token>
#include <string>

namespace warplens::io {

struct ReadOptions {
    Limits limits;
    std::string axes;      ///< how an NPY is meant: "", "yx", "zyx", "yxc" or "zyxc"
    int frame = 0;         ///< which frame of a 4-D volume or page of a TIFF, from 1; 0: the first frame, all pages
    std::string series;    ///< which DICOM series of a folder, by UID or number from 1; empty: the largest
    bool toFloat = false;  ///< values of other types become f32: see to_float.hpp
    std::stop_token stop;
    std::function<void(double)> progress;  ///< called on the reading thread with 0..1; may be empty
};

/// Reads a picture or volume. `input` is one of
///   a path                                       to a file, or to a folder of DICOM files (isDicomFolder())
///   gen:KIND:WxH[xD]:TYPE[:key=value]...         generated, see generate.hpp
///   raw:FILE[:WxH[xD]:TYPE[:key=value]...]       values without a header, see raw.hpp
///   series:FOLDER/slice-###.png                  numbered pictures as the slices of a volume, see picture_series.hpp
/// NPY, CSV, gen: and raw: are read in process, every other format by warplens-codec in a process of its own.
/// Throws Error with one clear sentence; nothing is leaked.
Grid read(const std::string& input, const ReadOptions& options = {});

/// The file or folder that an input names; empty for generated inputs and series of pictures.
std::string pathOf(const std::string& input);

}  // namespace warplens::io
