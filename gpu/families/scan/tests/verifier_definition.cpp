// SPDX-License-Identifier: Apache-2.0
// Running sums of integers are exact; of floats one rounding an addition of what the sum is made of. A box is the mean
// of its window: rounded once, and once more where a row's sum is kept as f32. Masks, levels and lists are exact.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>

namespace warplens::gpu::testing::scan {
namespace {

constexpr std::int64_t kRadius = 1;

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    fallTo(values, "radius", kRadius);
    fallTo(values, "tiles", std::int64_t{2});
    if (input.type() != io::PixelType::f32)
        fallTo(values, "level", input.type() == io::PixelType::u8 ? 100.0 : 30000.0);
    return values;
}

/// Additions that a sum of a line of so many values goes through, one after another: all of them, or those of a tile
/// and its steps.
double additions(const Variant& variant, double length, bool strips) {
    if (strips) return 16 + length / 4;
    if (isLibrary(variant) || variant.id == "naive" || variant.id == "quadratic") return length;
    if (variant.id == "one_pass") return 64 + length / 32;
    return variant.id == "three_kernels" ? 128 : 64;
}

/// The values before `p` in its line, and itself unless it is left out: in all of the channel, in its row, its column.
Terms runningSum(const Posed& posed, const Spot& p, const std::string& along, bool exclusive) {
    const io::Shape& s = posed.input->shape();
    Terms sum;
    for (std::int64_t z = along == "values" ? 0 : p.z; z <= p.z; ++z)
        for (std::int64_t y = along == "rows" ? p.y : 0; y < s.height; ++y)
            for (std::int64_t x = along == "columns" ? p.x : 0; x < s.width; ++x) {
                const bool beyond =
                    along == "columns" ? x > p.x || y > p.y : z == p.z && (y > p.y || (y == p.y && x > p.x));
                const bool self = z == p.z && y == p.y && x == p.x;
                if (!beyond && !(self && exclusive)) sum.add(1, posed.input->value(x, y, z, p.c));
            }
    return sum;
}

Terms boxOf(const Posed& posed, const Spot& p, std::int64_t left, std::int64_t top, std::int64_t right,
            std::int64_t bottom) {
    Terms sum;
    for (std::int64_t y = top; y <= bottom; ++y)
        for (std::int64_t x = left; x <= right; ++x) sum.add(1, posed.input->value(x, y, p.z, p.c));
    return sum;
}

/// Of what this sum is made of: a later value of its line has no part in it.
Expected sumAt(const Posed& posed, const Variant& variant, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    const bool integral = posed.text("task") == "integral";
    const std::string& along = posed.text("along");
    const Terms sum =
        integral ? boxOf(posed, p, 0, 0, p.x, p.y) : runningSum(posed, p, along, posed.text("kind") == "exclusive");
    const auto across = static_cast<double>(p.x + 1), down = static_cast<double>(p.y + 1);
    const bool byLines = variant.id == "naive" || variant.id == "one_pass" || isLibrary(variant);
    double depth = 0;
    if (integral)
        depth = additions(variant, across, false) + additions(variant, down, !byLines);
    else if (along == "values")
        depth = additions(variant, static_cast<double>((p.z * s.height + p.y) * s.width + p.x + 1), false);
    else if (along == "rows")
        depth = additions(variant, across, false);
    else
        depth = additions(variant, down, variant.id == "look_back_vectorised" || variant.id == "carried");
    return within(sum.value, (depth + 1) * kHalfEps * sum.magnitude + kTiny);
}

/// Of what the window holds, and of nothing beside it. Windows that slide round each of their rows to f32.
Expected boxAt(const Posed& posed, const Variant& variant, const Spot& p, bool finite) {
    const io::Shape& s = posed.input->shape();
    const Terms sum =
        boxOf(posed, p, std::max<std::int64_t>(0, p.x - kRadius), std::max<std::int64_t>(0, p.y - kRadius),
              std::min(s.width - 1, p.x + kRadius), std::min(s.height - 1, p.y + kRadius));
    const double n = sum.count, mean = sum.value / n;
    if (posed.input->type() != io::PixelType::f32) return within(mean, 0);
    const double rows = finite && variant.id == "one_pass" ? kHalfEps : 0;
    return within(mean, kHalfEps * std::fabs(mean) + (rows + (n + 4) * 0x1p-53) * sum.magnitude / n + kTiny);
}

std::optional<Definition> of(const Posed& posed) {
    const std::string& task = posed.text("task");
    if (task == "threshold" || task == "equalise" || task == "clahe" || task == "compact") return Definition();
    if (task != "sums" && task != "integral" && task != "box") return std::nullopt;
    const bool floats = posed.input->type() == io::PixelType::f32;
    if (task != "box") {
        if (!floats) return Definition();
        return Definition{.picture = [&posed](const Variant& v, const Spot& p) { return sumAt(posed, v, p); }};
    }
    const bool keepsAlpha = posed.input->shape().channels == 4 && posed.text("alpha") == "keep";
    bool finite = true;
    for (std::int64_t i = 0; floats && i < posed.input->shape().values(); ++i)
        finite &= std::isfinite(posed.input->as<float>()[i]);
    return Definition{.picture = [&posed, keepsAlpha, finite](const Variant& variant, const Spot& p) {
        return keepsAlpha && p.c == 3 ? within(posed.at(p), 0) : boxAt(posed, variant, p, finite);
    }};
}

[[maybe_unused]] const bool kKnown = defines("scan", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::scan
