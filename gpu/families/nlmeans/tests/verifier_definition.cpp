// SPDX-License-Identifier: Apache-2.0
// Each pixel by each patch of the square about it. Bound: a sum of n squares is off by (n / 2 + 8) eps of itself and of
// what is taken off it, a weight exp(-a) by that of a, by 4 eps of itself and by the smallest float; then (taps + 2)
// eps of the sums, and what no float holds of each product. Weights that are off move the mean towards their pixels.
// OpenCV's are of distances that may lack the least power of two that is the patch's pixels, over its terms; they are
// integers, of 1 the most for which 31 bits hold the sum of all taps of 255; and below 0.001 they are 0.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <vector>

namespace warplens::gpu::testing::nlmeans {
namespace {

/// Of a value outside 0..n-1, or -1.
std::int64_t standIn(const std::string& border, std::int64_t i, std::int64_t n) {
    while (border == "wrap" && i < 0) i += n;
    while (border == "wrap" && i >= n) i -= n;
    while (border == "reflect" && (i < 0 || i >= n)) i = n == 1 ? 0 : i < 0 ? -i : 2 * (n - 1) - i;
    if (border == "replicate") return i < 0 ? 0 : i < n ? i : n - 1;
    return i < 0 || i >= n ? -1 : i;
}

std::optional<Definition> of(const Posed& posed) {
    const io::Shape& s = posed.input->shape();
    const int worked = s.channels == 4 && posed.text("alpha") == "keep" ? 3 : s.channels;
    const io::PixelType type = posed.input->type();
    const double percent = (type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1) / 100.0;
    const double strength = posed.real("strength") * percent, noise = posed.real("noise") * percent;
    return Definition{.picture = [=, &posed](const Variant& variant, const Spot& p) {
        if (p.c >= worked) return exactly();
        const auto valueAt = [&](std::int64_t x, std::int64_t y, int c) {
            const std::int64_t fromX = standIn(posed.text("border"), x, s.width),
                               fromY = standIn(posed.text("border"), y, s.height);
            return fromX < 0 || fromY < 0 ? 0 : posed.input->value(fromX, fromY, p.z, c);
        };
        const std::int64_t r = posed.integer("patch-radius"), reach = posed.integer("search-radius");
        const auto n = static_cast<double>((2 * r + 1) * (2 * r + 1) * worked);
        const auto side = static_cast<double>(2 * r + 1), across = static_cast<double>(2 * reach + 1);
        const bool opencv = isLibrary(variant);
        const double grain = opencv ? 1 / std::floor(2147483647 / (across * across * 255)) : 0;
        const double lacking = opencv ? std::exp2(std::ceil(std::log2(side * side))) / n : 0;
        double sum = 0, size = 0, total = 0, off = 0, moved = 0, count = 0, lost = 0;
        for (std::int64_t dy = -reach; dy <= reach; ++dy) {
            for (std::int64_t dx = -reach; dx <= reach; ++dx) {
                double mean = 0;
                for (std::int64_t y = p.y - r; y <= p.y + r; ++y)
                    for (std::int64_t x = p.x - r; x <= p.x + r; ++x)
                        for (int c = 0; c < worked; ++c)
                            mean += std::pow(valueAt(x, y, c) - valueAt(x + dx, y + dy, c), 2) / n;
                if (!std::isfinite(mean)) continue;
                const double least = 2 * noise * noise, tap = valueAt(p.x + dx, p.y + dy, p.c);
                const double weight = mean < least ? 1 : std::exp(-(mean - least) / (strength * strength));
                const double error = (4 + (n / 2 + 8) * (mean + least) / (strength * strength)) * kEps;
                const double highest = std::min(1.0, weight * std::exp(lacking / (strength * strength)));
                const bool none = opencv && highest + grain < 0.001, maybe = opencv && weight < 0.001 + grain;
                const double less = none || maybe ? weight : grain;
                const double weightOff = (weight > 0 ? std::min(1.0, weight * std::expm1(error)) : 0) + kTiny +
                                         (none ? less : std::max(less, highest + grain - weight));
                lost += less;
                count += 1;
                total += weight;
                sum += weight * tap;
                size += weight * std::fabs(tap);
                off += weightOff;
                moved += weightOff * std::fabs(tap - posed.at(p));
            }
        }
        if (count == 0) return exactly();
        const double made = sum / total;
        return within(made, (count + 2) * kEps * size / total + count * kTiny +
                                (moved + off * std::fabs(made - posed.at(p))) / std::max(1.0, total - lost));
    }};
}

// Every planted number costs a verification of all taps. Of noise as strong as the picture all of them weigh something,
// and of bytes, which OpenCV takes where there is none, some less than 0.001.
ParameterValues complete(const io::Grid& input, ParameterValues values) {
    const bool bytes = input.type() == io::PixelType::u8;
    fallTo(values, "patch-radius", std::int64_t{1});
    fallTo(values, "search-radius", std::int64_t{1});
    fallTo(values, "strength", bytes ? 20.0 : 40.0);
    fallTo(values, "noise", bytes ? 0.0 : 10.0);
    return values;
}

[[maybe_unused]] const bool kKnown = defines("nlmeans", {.complete = &complete, .of = &of});

}  // namespace
}  // namespace warplens::gpu::testing::nlmeans
