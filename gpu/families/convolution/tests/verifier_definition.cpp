// SPDX-License-Identifier: Apache-2.0
// The weighted sum around a pixel: (taps + 1) eps of the sum of its terms' magnitudes.
#include "tests/gpu/verifier_definition.hpp"

#include <array>
#include <numeric>

namespace warplens::gpu::testing::convolution {
namespace {

constexpr std::array kWeights{0.5F,  -0.25F, 0.125F, 0.75F, 0.3F,  -0.6F, 0.1F,  0.2F,  -0.4F,
                              0.7F,  0.15F,  -0.2F,  0.9F,  -0.8F, 0.05F, 0.35F, 0.45F, -0.1F,
                              0.25F, -0.35F, 0.65F,  0.6F,  -0.5F, 0.8F,  0.4F,  -0.7F, 0.55F};

/// 3 x 3 weights, of three dimensions three slices of them.
std::size_t tapsOf(const std::string& dimensions) { return dimensions == "3" ? 27 : 9; }

ParameterValues complete(const io::Grid&, ParameterValues values) {
    const auto dimensions = values.find("dimensions");
    const bool deep = dimensions != values.end() && std::get<std::string>(dimensions->second) == "3";
    std::string matrix;
    for (std::size_t i = 0; i < tapsOf(deep ? "3" : "2"); ++i) {
        if (i > 0) matrix += i % 9 == 0 ? ";;" : i % 3 == 0 ? ";" : " ";
        matrix += format(static_cast<double>(kWeights[i]));
    }
    fallTo(values, "filter", std::string("custom"));
    fallTo(values, "matrix", matrix);
    return values;
}

/// Where a border takes a place beside the picture from; -1: from nowhere.
std::int64_t inside(std::int64_t i, std::int64_t n, const std::string& border) {
    if (i >= 0 && i < n) return i;
    if (border == "zero") return -1;
    if (border == "replicate") return i < 0 ? 0 : n - 1;
    if (border == "wrap") return (i + n) % n;
    return i < 0 ? -i : 2 * (n - 1) - i;
}

/// How many times the bound, and how much beside it, a row takes that computes in fewer bits or in its own order.
std::pair<double, double> ownBound(const Variant& variant, io::PixelType type, double taps, double weights) {
    if (isLibrary(variant)) return {64, 0};
    if (variant.id != "tensor_core") return {1, 0};
    // Three products a tap, and what they lack of value and weight. A byte is one bf16, and 16 bits are two.
    const double lacks = type == io::PixelType::u8 ? 64 : type == io::PixelType::u16 ? 192 : 256;
    return {3 + lacks / (taps + 1), type == io::PixelType::f32 ? 0x1p-133 * weights : 0};
}

std::optional<Definition> of(const Posed& posed) {
    const std::string& border = posed.text("border");
    if (border != "zero" && border != "replicate" && border != "reflect" && border != "wrap") return std::nullopt;
    const auto taps = static_cast<std::int64_t>(tapsOf(posed.text("dimensions")));
    std::vector<float> weights(kWeights.begin(), kWeights.begin() + taps);
    if (posed.flag("normalise")) {
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        for (float& w : weights) w = static_cast<float>(static_cast<double>(w) / sum);
    }
    const int filtered = posed.input->shape().channels == 4 && posed.text("alpha") == "keep" ? 3 : 4;
    return Definition{.picture = [=, &posed](const Variant& variant, const Spot& p) -> Expected {
        if (p.c >= filtered) return within(posed.at(p), 0);
        const io::Shape& s = posed.input->shape();
        Terms sum;
        double all = 0;
        for (std::int64_t t = 0; t < taps; ++t) {
            const double w = weights[static_cast<std::size_t>(t)];
            const Spot from{inside(p.x + t % 3 - 1, s.width, border), inside(p.y + t / 3 % 3 - 1, s.height, border),
                            taps > 9 ? inside(p.z + t / 9 - 1, s.depth, border) : p.z, p.c};
            all += std::fabs(w);
            if (from.x >= 0 && from.y >= 0 && from.z >= 0) sum.add(w, posed.at(from));
        }
        const auto n = static_cast<double>(taps);
        const auto [factor, beside] = ownBound(variant, posed.input->type(), n, all);
        return within(sum.value, factor * ((n + 1) * kEps * sum.magnitude + n * kTiny) + beside);
    }};
}

[[maybe_unused]] const bool kKnown = defines("convolution", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::convolution
