// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/task.hpp"

#include "gpu/families/scan/parameters.hpp"

namespace warplens::gpu::scan {
namespace {

Task taskOf(const std::string& name) {
    if (name == "integral") return Task::integral;
    if (name == "box") return Task::box;
    if (name == "threshold") return Task::threshold;
    if (name == "equalise") return Task::equalise;
    if (name == "clahe") return Task::clahe;
    return name == "compact" ? Task::compact : Task::sums;
}

}  // namespace

Asked askedOf(const ParameterValues& values) {
    const auto& list = parameters();
    validate(list, values);
    const std::string& along = textOf(list, values, "along");
    return {.task = taskOf(textOf(list, values, "task")),
            .along = along == "rows"      ? Along::rows
                     : along == "columns" ? Along::columns
                                          : Along::values,
            .exclusive = textOf(list, values, "kind") == "exclusive",
            .radius = static_cast<int>(integerOf(list, values, "radius")),
            .offset = realOf(list, values, "offset"),
            .clip = realOf(list, values, "clip"),
            .tiles = static_cast<int>(integerOf(list, values, "tiles")),
            .level = realOf(list, values, "level"),
            .keepAlpha = textOf(list, values, "alpha") == "keep"};
}

io::PixelType outputTypeOf(const Asked& asked, io::PixelType input) {
    if (asked.sums()) return input == io::PixelType::f32 ? io::PixelType::f32 : io::PixelType::u32;
    return asked.task == Task::threshold ? io::PixelType::u8 : input;
}

}  // namespace warplens::gpu::scan
