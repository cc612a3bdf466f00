// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/family.hpp"

#include "gpu/core/error.hpp"

#include <utility>

namespace warplens::gpu {
namespace {

void checkType(const FamilyInfo& family, const io::Grid* input) {
    if (input == nullptr || family.wideIntegers || !io::isWideInteger(input->type())) return;
    throw Error(Error::Kind::unsupported, family.id + " takes u8, u16 and f32, and the picture holds " +
                                              io::nameOf(input->type()) +
                                              ": read it as f32 (--as f32 on the command line, Edit > Convert to "
                                              "32-bit float in the window)");
}

}  // namespace

std::unique_ptr<Problem> Family::pose(std::shared_ptr<const io::Grid> input, const ParameterValues& values) const {
    checkType(info(), input.get());
    return makeProblem(std::move(input), values);
}

std::unique_ptr<Playback> Family::play(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                                       const std::vector<std::string>& variants, const std::string& device,
                                       std::int64_t memoryCap) const {
    checkType(info(), input.get());
    return makePlayback(std::move(input), values, variants, device, memoryCap);
}

}  // namespace warplens::gpu
