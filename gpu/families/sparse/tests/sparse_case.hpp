// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_on_device.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {

inline ParameterValues multiplied(const std::string& matrix) {
    return {{"task", std::string("product")}, {"matrix", matrix}};
}

/// A mask of noise whose pixels are unknowns with a likelihood of `share`, in an order of its own.
inline std::shared_ptr<const NamedGrid> randomMask(const io::Shape& shape, double share, std::uint64_t seed = 7) {
    const auto from = noise({shape.width, shape.height, shape.depth}, io::PixelType::f32, seed);
    auto mask = std::make_shared<io::Grid>(from->shape(), io::PixelType::u8);
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                mask->setValue(x, y, z, 0, from->value(x, y, z, 0) < share ? 255 : 0);
    return std::make_shared<const NamedGrid>(NamedGrid{"mask", mask});
}

inline ParameterValues masked(ParameterValues values, std::shared_ptr<const NamedGrid> mask) {
    values["mask"] = std::move(mask);
    return values;
}

class SparseOnDevice : public FamilyOnDevice {
protected:
    SparseOnDevice() : FamilyOnDevice("sparse") {}

private:
    /// Some sums leave the range of f32.
    void expectRight(const Request&, const RunRecord&, const std::string&) override {}
};

}  // namespace warplens::gpu::testing
