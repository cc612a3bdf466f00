// SPDX-License-Identifier: Apache-2.0
// The nearest site of all: in pixels exact, its root rounded once; in millimetres 2^-22 of it. Jump flooding may take
// another site, sqrt 2 times as far at most, in a volume sqrt 3 times; a nearer one than the nearest is none.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <limits>

namespace warplens::gpu::testing::distance {
namespace {

double levelFor(io::PixelType type) {
    return type == io::PixelType::f32 ? -0.6 : type == io::PixelType::u8 ? 60 : 16000;
}

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    fallTo(values, "level", levelFor(input.type()));
    return values;
}

double nearestSquare(const Posed& posed, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    const auto& spacing = posed.input->geometry.spacing;
    const bool millimetres = posed.text("spacing") == "mm";
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x) {
                if (!(posed.input->value(x, y, z, p.c) <= levelFor(posed.input->type()))) continue;
                double square = 0;
                std::size_t axis = 0;
                for (const std::int64_t apart : {x - p.x, y - p.y, z - p.z}) {
                    const double step = millimetres ? spacing[axis] : 1;
                    square += static_cast<double>(apart * apart) * step * step;
                    ++axis;
                }
                least = std::min(least, square);
            }
    return least;
}

std::optional<Definition> of(const Posed& posed) {
    const bool millimetres = posed.text("spacing") == "mm", squared = posed.flag("squared");
    if (!millimetres && posed.text("spacing") != "pixels") return std::nullopt;
    return Definition{.picture = [&posed, millimetres, squared](const Variant& variant, const Spot& p) -> Expected {
        const double square = nearestSquare(posed, p), nearest = squared ? square : std::sqrt(square);
        if (!std::isfinite(square) || square == 0) return exactly();
        if (variant.id == "jump_flooding") {
            const double part = millimetres ? 0x1p-22 : 0x1p-24, axes = posed.input->shape().depth > 1 ? 3 : 2;
            const double times = squared ? axes : std::sqrt(axes);
            return {Expected::How::bounded, nearest, nearest * (times * (1 + part) - 1), nearest * part};
        }
        return millimetres || isLibrary(variant) ? within(nearest, nearest * 0x1p-22) : exactly();
    }};
}

[[maybe_unused]] const bool kKnown = defines("distance", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::distance
