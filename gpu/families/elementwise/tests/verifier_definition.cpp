// SPDX-License-Identifier: Apache-2.0
// Each task in its own words. Constants and operations are rounded: four eps of what is added, and of the result; what
// only compares or moves is exact.
#include "tests/gpu/verifier_definition.hpp"

#include "gpu/core/separating_level.hpp"

#include <algorithm>

namespace warplens::gpu::testing::elementwise {
namespace {

constexpr double kLeast = 0x1p-147;

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    fallTo(values, "with", noisePicture(input.shape(), input.type(), 81));
    if (values.contains("output-type") && values.at("output-type") == Parameter::Value(std::string("u16"))) {
        // Floats over the range, so that their bound can be seen in integers.
        fallTo(values, "task", std::string("scale"));
        fallTo(values, "gain", 30000.0);
        fallTo(values, "offset", 30000.0);
    }
    return values;
}

double fullRange(const std::string& type) { return type == "u8" ? 255 : type == "u16" ? 65535 : 1; }

/// Unrounded, with what it was added up of.
Terms termsAt(const Posed& posed, const Spot& p, double top) {
    const std::string task = posed.text("task");
    const double v = posed.at(p);
    const bool colours = posed.input->shape().channels > 1;
    Terms sum;
    if (task == "scale") {
        sum.add(posed.real("gain"), v);
        sum.add(1, posed.real("offset"));
    } else if (task == "invert") {
        sum.add(1, top);
        sum.add(-1, v);
    } else if (task == "exposure") {
        sum.add(std::exp2(posed.real("stops")), v);
    } else if (task == "white-balance") {
        sum.add(posed.real(p.c == 0 ? "red" : p.c == 1 ? "green" : "blue"), v);
    } else if (colours && (task == "saturation" || task == "grey")) {
        const double s = task == "grey" ? 0 : posed.real("saturation"), luma[] = {0.2126, 0.7152, 0.0722};
        for (int k = 0; k < 3; ++k)
            sum.add((1 - s) * luma[k] + (k == p.c ? s : 0), posed.input->value(p.x, p.y, p.z, k));
    }
    return sum;
}

Terms pairAt(const Posed& posed, const Spot& p) {
    const std::string task = posed.text("task");
    const double v = posed.at(p), w = posed.picture("with").value(p.x, p.y, p.z, p.c), opacity = posed.real("opacity");
    Terms sum;
    if (task == "add" || task == "subtract") {
        sum.add(1, v);
        sum.add(task == "add" ? 1 : -1, w);
    } else if (task == "multiply") {
        sum.add(posed.real("gain") * v, w);
    } else if (task == "divide") {
        if (w != 0 || posed.input->type() == io::PixelType::f32) sum.add(posed.real("gain"), v / w);
    } else if (task == "difference") {
        sum.add(1, std::fabs(v - w));
    } else {
        sum.add(task == "blend" ? 1 - opacity : posed.real("gain"), v);
        sum.add(task == "blend" ? opacity : 1, w);
    }
    return sum;
}

/// The default points in shares of the full range, by Hermite's four polynomials; with the sizes of a cubic's terms.
std::pair<double, double> tonedAt(double share) {
    constexpr double x[] = {0, 0.25, 0.75, 1}, y[] = {0, 0.2, 0.8, 1};
    // Of rises 0.8, 1.2 and 0.8: harmonic means within, at the ends what a parabola has.
    constexpr double kInner = 2.25 / (1.25 / 0.8 + 1 / 1.2), kEnd = (1 * 0.8 - 0.25 * 1.2) / 0.75;
    constexpr double m[] = {kEnd, kInner, kInner, kEnd};
    const int k = share < 0.25 ? 0 : share < 0.75 ? 1 : 2;
    const double h = x[k + 1] - x[k], t = (share - x[k]) / h, a = h * m[k], b = h * m[k + 1], rise = y[k + 1] - y[k];
    const double value = (1 + 2 * t) * (1 - t) * (1 - t) * y[k] + t * (1 - t) * (1 - t) * a +
                         t * t * (3 - 2 * t) * y[k + 1] + t * t * (t - 1) * b;
    return {value, y[k] + std::fabs(a * t) + std::fabs((3 * rise - 2 * a - b) * t * t) +
                       std::fabs((a + b - 2 * rise) * t * t * t)};
}

std::optional<Definition> of(const Posed& posed) {
    const std::string task = posed.text("task"), type = io::nameOf(posed.input->type());
    const std::string asked = posed.text("output-type"), output = asked == "same" ? type : asked;
    const double top = fullRange(type), conversion = posed.text("conversion") == "range" ? fullRange(output) / top : 1;
    const bool colours = task == "white-balance" || task == "saturation" || task == "grey";
    const bool kept = posed.input->shape().channels == 4 && (colours || posed.text("alpha") == "keep");
    // The rules have a test of their own.
    const std::string rule = posed.text("threshold-by");
    const double level = rule == "percent" ? posed.real("threshold") / 100 * top : separatingLevel(*posed.input, rule);
    const auto scaled = [=](double value, double magnitude) {
        const double bound = 4 * kEps * conversion * (magnitude + std::fabs(value)) + kLeast;
        return within(value * conversion, magnitude == 0 && conversion == 1 ? 0 : bound);
    };
    return Definition{.picture = [=, &posed](const Variant&, const Spot& p) -> Expected {
        if (task == "channel" || task == "colour" || task == "replace-channel") {
            const std::string wanted = posed.text("channel");
            const int chosen = wanted == "red" ? 0 : wanted == "green" ? 1 : wanted == "blue" ? 2 : 3;
            const bool other = task == "replace-channel" && p.c == chosen;
            const io::Grid& from = other ? posed.picture("with") : *posed.input;
            const int c = task == "channel" ? chosen : p.c;
            return scaled(from.value(p.x, p.y, p.z, from.shape().channels == 1 ? 0 : c), 0);
        }
        const double v = posed.at(p);
        if (kept && p.c == 3) return scaled(v, 0);
        if (task == "copy" || (task == "grey" && posed.input->shape().channels == 1)) return scaled(v, 0);
        if (task == "absolute") return scaled(std::fabs(v), 0);
        if (task == "threshold") return scaled(v > level ? top : 0, 0);
        const double black = posed.real("black") / 100 * top, white = posed.real("white") / 100 * top;
        if (task == "clip") {
            const double value = std::isnan(v) ? v : std::clamp(v, black, white);
            return scaled(value, std::fabs(value));
        }
        if (task == "curves") {
            if (std::isnan(v)) return scaled(v, 0);
            const auto toned = [](double share) { return tonedAt(std::clamp(share, 0.0, 1.0)); };
            const double share = std::clamp(v / top, 0.0, 1.0), off = 4 * kEps * share + kLeast;
            const auto [value, magnitude] = toned(share);
            Expected made = scaled(top * value, top * magnitude);
            const double slope =
                top * conversion *
                std::max(std::fabs(toned(share + off).first - value), std::fabs(toned(share - off).first - value));
            if (std::isfinite(v)) {
                made.above += slope;
                made.below += slope;
            }
            return made;
        }
        if (task == "gamma" || task == "levels") {
            const bool levels = task == "levels";
            const double low = levels ? black : 0, width = levels ? white - black : top;
            const double exponent = 1 / posed.real(levels ? "midtones" : "gamma");
            const double share = (v - low) / width, off = 2 * kEps * (std::fabs(v) + std::fabs(low)) / width + kLeast;
            const auto power = [&](double t) {
                t = std::isnan(t) ? t : std::max(t, 0.0);
                return top * std::pow(levels && t > 1 ? 1 : t, exponent);
            };
            Expected made = scaled(power(share), power(share));
            const double slope =
                std::max(power(share + off) - power(share), power(share) - power(share - off)) * conversion;
            if (std::isfinite(slope)) {
                made.above += slope;
                made.below += slope;
            }
            return made;
        }
        if (task == "minimum" || task == "maximum") {
            const double w = posed.picture("with").value(p.x, p.y, p.z, p.c);
            return scaled(std::isnan(v) ? v : task == "minimum" ? std::min(w, v) : std::max(w, v), 0);
        }
        const bool single = colours || task == "scale" || task == "invert" || task == "exposure";
        const Terms sum = single ? termsAt(posed, p, top) : pairAt(posed, p);
        Expected made = scaled(sum.value, sum.magnitude);
        if (task == "multiply") {
            const double tiny = kLeast * std::fabs(posed.picture("with").value(p.x, p.y, p.z, p.c));
            made.above += tiny;
            made.below += tiny;
        }
        return made;
    }};
}

[[maybe_unused]] const bool kKnown = defines("elementwise", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::elementwise
