// SPDX-License-Identifier: Apache-2.0
#include "gpu/frame/picture_problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/kernels/host_planes.hpp"

namespace warplens::gpu {

void needPicture(const std::shared_ptr<const io::Grid>& input, const char* toDo, bool emptyToo) {
    if (input == nullptr || (input->empty() && !emptyToo))
        throw Error(Error::Kind::argument, std::string("no picture ") + toDo + ": open one first");
}

std::shared_ptr<io::Grid> emptyLike(const io::Grid& input, const io::Shape& shape, io::PixelType type) {
    auto output = std::make_shared<io::Grid>(shape, type);
    output->geometry = input.geometry;
    output->metadata = input.metadata;
    output->metadata.notes.clear();
    return output;
}

PlainTask plainTaskOf(std::shared_ptr<const io::Grid> input, const io::Shape& output, io::PixelType type) {
    const io::Shape from = input->shape();
    return {.input = std::move(input),
            .outputType = type,
            .width = static_cast<int>(from.width),
            .height = static_cast<int>(from.height),
            .outputWidth = static_cast<int>(output.width),
            .outputHeight = static_cast<int>(output.height),
            .planes = static_cast<int>(from.depth * from.channels)};
}

std::shared_ptr<const io::Grid> fromPlanes(const std::vector<std::byte>& planes, const PlainTask& task,
                                           std::shared_ptr<io::Grid> output) {
    const auto channels = static_cast<int>(task.planes / task.input->shape().depth);
    fillFromPlanes(planes, channels, *output);
    if (channels < output->shape().channels) copyChannels(*task.input, channels, *output);
    return output;
}

}  // namespace warplens::gpu
