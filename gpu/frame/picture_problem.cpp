// SPDX-License-Identifier: Apache-2.0
#include "gpu/frame/picture_problem.hpp"

#include "gpu/core/error.hpp"

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

}  // namespace warplens::gpu
