// SPDX-License-Identifier: Apache-2.0
// Each pixel by every pixel of the square about it. Bound: a weight exp(-a) is off by (4 + 8 a) eps of itself, and by
// the smallest float; (taps + 2) eps of the sums, and what no float holds of each product.
#include "tests/gpu/verifier_definition.hpp"

#include <vector>

namespace warplens::gpu::testing::bilateral {
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
    const double top = type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
    const double inSpace = posed.real("sigma-space"), inValue = posed.real("sigma-value") / 100 * top;
    return Definition{.picture = [=, &posed](const Variant& variant, const Spot& p) {
        if (p.c >= worked) return exactly();
        struct Tap {
            double value, weight, off;
        };
        std::vector<Tap> taps;
        const std::int64_t r = posed.integer("radius");
        double lowest = posed.at(p), highest = lowest;
        for (std::int64_t i = 0; i < s.values(); ++i) {
            const double v = posed.input->value(i / s.channels % s.width, i / s.channels / s.width % s.height,
                                                i / s.channels / s.width / s.height, static_cast<int>(i % s.channels));
            lowest = std::min(lowest, v);
            highest = std::max(highest, v);
        }
        const double step = (highest - lowest) / 4096 / inValue;
        const double own = isLibrary(variant) && type == io::PixelType::f32 ? step * step / 8 + 0x1p-10 * step : 0;
        for (std::int64_t y = p.y - r; y <= p.y + r; ++y) {
            for (std::int64_t x = p.x - r; x <= p.x + r; ++x) {
                const auto far = static_cast<double>((x - p.x) * (x - p.x) + (y - p.y) * (y - p.y));
                if (far > static_cast<double>(r * r)) continue;
                const std::int64_t fromX = standIn(posed.text("border"), x, s.width),
                                   fromY = standIn(posed.text("border"), y, s.height);
                const auto valueOf = [&](int c) {
                    return fromX < 0 || fromY < 0 ? 0 : posed.input->value(fromX, fromY, p.z, c);
                };
                double apart = 0;
                for (int c = 0; c < worked; ++c) apart += std::fabs(valueOf(c) - posed.input->value(p.x, p.y, p.z, c));
                if (!std::isfinite(apart)) continue;
                const double exponent = far / (2 * inSpace * inSpace) + apart / inValue * apart / inValue / 2;
                const double weight = std::exp(-exponent);
                taps.push_back(
                    {valueOf(p.c), weight,
                     weight * (4 + 8 * exponent) * kEps + std::exp(-far / (2 * inSpace * inSpace)) * own + kTiny});
            }
        }
        if (taps.empty()) return exactly();
        double sum = 0, size = 0, total = 0;
        for (const Tap& tap : taps) {
            sum += tap.weight * tap.value;
            size += tap.weight * std::fabs(tap.value);
            total += tap.weight;
        }
        const auto count = static_cast<double>(taps.size());
        double bound = (count + 2) * kEps * size / total + count * kTiny;
        for (const Tap& tap : taps) bound += tap.off * std::fabs(tap.value - sum / total) / total;
        return within(sum / total, bound);
    }};
}

[[maybe_unused]] const bool kKnown = defines("bilateral", {.of = &of});

}  // namespace
}  // namespace warplens::gpu::testing::bilateral
