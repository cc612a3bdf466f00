// SPDX-License-Identifier: Apache-2.0
// Each pixel by its own sum over both axes: weights by the methods' formulas at the distance of pixel centres. Bound:
// (taps of both axes + 16) eps of (|weight| + the filter's height) per axis, times the values.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

namespace warplens::gpu::testing::resample {
namespace {

/// Taps of one output along one axis.
struct Line {
    std::vector<std::int64_t> at;
    std::vector<double> weight;
    double height = 1;
    double taps = 1;  ///< of the axis, whether they weigh anything or not
};

double filterAt(const std::string& method, double d) {
    d = std::fabs(d);
    if (method == "bilinear") return std::max(0.0, 1 - d);
    if (method == "lanczos") {
        const auto sinc = [](double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); };
        return d < 3 ? sinc(d) * sinc(d / 3) : 0;
    }
    const double a = method == "bicubic" ? -0.75 : -0.5, d2 = d * d, d3 = d2 * d;
    if (d < 1) return (a + 2) * d3 - (a + 3) * d2 + 1;
    return d < 2 ? a * d3 - 5 * a * d2 + 8 * a * d - 4 * a : 0;
}

Line lineOf(const std::string& method, bool antialias, std::int64_t in, std::int64_t out, std::int64_t i) {
    const double step = static_cast<double>(in) / static_cast<double>(out),
                 centre = (static_cast<double>(i) + 0.5) * step;
    Line line;
    const bool area = method == "area";
    if (method == "nearest") {
        line.at = {(2 * i + 1) * in / (2 * out)};
        line.weight = {1};
        return line;
    }
    const double widened = antialias && step > 1 && !area ? step : 1;
    line.height = area ? 1 / std::max(1.0, step) : 1 / widened;
    const double lobes = method == "bilinear" ? 1 : method == "lanczos" ? 3 : 2;
    line.taps = area ? std::floor(step) + 2 : 2 * std::ceil(lobes * widened);
    double all = 0;
    for (std::int64_t k = -200; k < in + 200; ++k) {
        const auto pixel = static_cast<double>(k);
        double w = 0;
        if (area)
            w = std::max(0.0, std::min(pixel + 1, centre + step / 2) - std::max(pixel, centre - step / 2));
        else
            w = filterAt(method, (pixel + 0.5 - centre) / widened);
        if (std::fabs(w) < 0x1p-20) continue;  // none
        line.at.push_back(std::clamp<std::int64_t>(k, 0, in - 1));
        line.weight.push_back(w);
        all += w;
    }
    for (double& w : line.weight) w /= all;
    return line;
}

/// The index that stands for one outside 0..n-1, or -1.
std::int64_t standIn(const std::string& border, std::int64_t i, std::int64_t n) {
    while (border == "wrap" && i < 0) i += n;
    while (border == "wrap" && i >= n) i -= n;
    while (border == "reflect" && (i < 0 || i >= n)) i = n == 1 ? 0 : i < 0 ? -i : 2 * (n - 1) - i;
    if (border == "replicate") return std::clamp<std::int64_t>(i, 0, n - 1);
    return i < 0 || i >= n ? -1 : i;
}

/// Taps about a place between pixels.
Line lineAbout(const std::string& method, double place) {
    Line line;
    const double lobes = method == "bilinear" ? 1 : method == "lanczos" ? 3 : 2;
    line.taps = method == "nearest" ? 1 : 2 * lobes;
    if (method == "nearest") {
        line.at = {static_cast<std::int64_t>(std::floor(place + 0.5))};
        line.weight = {1};
        return line;
    }
    double all = 0;
    for (auto k = static_cast<std::int64_t>(std::floor(place)) - 4; static_cast<double>(k) < place + 5; ++k) {
        const double w = filterAt(method, static_cast<double>(k) - place);
        if (std::fabs(w) < 0x1p-20) continue;  // none
        line.at.push_back(k);
        line.weight.push_back(w);
        all += w;
    }
    for (double& w : line.weight) w /= all;
    return line;
}

std::optional<Definition> ofRotation(const Posed& posed) {
    return Definition{.picture = [&posed](const Variant& variant, const Spot& p) {
        const io::Shape &in = posed.input->shape(), &out = posed.result.picture->shape();
        const std::string method = posed.text("method"), border = posed.text("border");
        const double angle = posed.real("angle") * std::numbers::pi / 180;
        const double cosine = std::round(std::cos(angle) * 0x1p31) / 0x1p31,
                     sine = std::round(std::sin(angle) * 0x1p31) / 0x1p31;
        const auto fromMiddle = [](std::int64_t i, std::int64_t n) {
            return static_cast<double>(i) - static_cast<double>(n - 1) / 2;
        };
        const double x = fromMiddle(p.x, out.width), y = fromMiddle(p.y, out.height);
        const Line across = lineAbout(method, cosine * x + sine * y - fromMiddle(0, in.width)),
                   down = lineAbout(method, cosine * y - sine * x - fromMiddle(0, in.height));
        double value = 0, size = 0;
        for (std::size_t j = 0; j < down.at.size(); ++j) {
            for (std::size_t i = 0; i < across.at.size(); ++i) {
                const std::int64_t fromX = standIn(border, across.at[i], in.width),
                                   fromY = standIn(border, down.at[j], in.height);
                if (fromX < 0 || fromY < 0) continue;
                const double v = posed.input->value(fromX, fromY, p.z, p.c);
                value += down.weight[j] * across.weight[i] * v;
                size += (std::fabs(down.weight[j]) + 1) * (std::fabs(across.weight[i]) + 1) * std::fabs(v);
            }
        }
        if (method == "nearest") return within(value, 0);
        const double taps = across.taps + down.taps, own = isLibrary(variant) ? 0x1p-4 : 0;
        return within(value, ((taps + 16) * kEps + own) * size + taps * kTiny);
    }};
}

std::optional<Definition> of(const Posed& posed) {
    if (posed.text("task") == "rotate") return ofRotation(posed);
    return Definition{.picture = [&posed](const Variant& variant, const Spot& p) {
        const io::Shape &in = posed.input->shape(), &out = posed.result.picture->shape();
        const std::string method = posed.text("method");
        const Line across = lineOf(method, posed.flag("antialias"), in.width, out.width, p.x),
                   down = lineOf(method, posed.flag("antialias"), in.height, out.height, p.y);
        double value = 0, size = 0;
        for (std::size_t j = 0; j < down.at.size(); ++j) {
            for (std::size_t i = 0; i < across.at.size(); ++i) {
                const double v = posed.input->value(across.at[i], down.at[j], p.z, p.c);
                value += down.weight[j] * across.weight[i] * v;
                size += (std::fabs(down.weight[j]) + down.height) * (std::fabs(across.weight[i]) + across.height) *
                        std::fabs(v);
            }
        }
        if (method == "nearest") return within(value, 0);
        const double taps = across.taps + down.taps, own = isLibrary(variant) ? 0x1p-8 : 0;
        return within(value, ((taps + 16) * kEps + own) * size + taps * kTiny);
    }};
}

[[maybe_unused]] const bool kKnown = defines("resample", {.of = &of});

}  // namespace
}  // namespace warplens::gpu::testing::resample
