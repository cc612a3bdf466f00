// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

#include <memory>
#include <string>

namespace warplens::gpu::elementwise {

/// In the order of the parameter's choices; those from `replaceChannel` on take a second picture.
enum class Task {
    copy,
    scale,
    invert,
    exposure,
    gamma,
    levels,
    curves,
    clip,
    threshold,
    absolute,
    whiteBalance,
    saturation,
    grey,
    colour,
    channel,
    replaceChannel,
    add,
    subtract,
    multiply,
    divide,
    minimum,
    maximum,
    difference,
    blend,
    axpy
};

/// What the user may choose.
struct Chosen {
    Task task{};
    std::shared_ptr<const NamedGrid> with{};
    double gain = 1, offset = 0, stops = 1, gamma = 2.2, black = 0, white = 100, midtones = 1, threshold = 50;
    double red = 1, green = 1, blue = 1, saturation = 1.5, opacity = 0.5;
    std::string points, thresholdBy = "percent";
    enum class Channel { red, green, blue, alpha } channel{};
    enum class OutputType { same, u8, u16, f32 } outputType{};
    enum class Conversion { values, range } conversion{};
    Alpha alpha{};

    bool pair() const { return task >= Task::replaceChannel; }
    bool picks() const { return task == Task::colour || task == Task::channel || task == Task::replaceChannel; }
    bool mixes() const { return task == Task::saturation || task == Task::grey; }
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::elementwise
