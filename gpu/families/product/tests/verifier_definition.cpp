// SPDX-License-Identifier: Apache-2.0
// Sums of K products: (K + 1) eps of the sum of the terms' magnitudes. Of cosines, four products in a row whose
// roundings are taken as independent: 8 sqrt(K) halves of an eps each, of the longest row or column of the layer.
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

namespace warplens::gpu::testing::product {
namespace {

constexpr std::int64_t kColumns = 5, kFilters = 2, kSide = 3;

ParameterValues complete(const io::Grid& input, ParameterValues values) {
    const std::string task = values.contains("task") ? std::get<std::string>(values.at("task")) : "product";
    if (task == "product")
        fallTo(values, "with", noisePicture({kColumns, input.shape().width}, io::PixelType::f32, 71));
    if (task == "bank") fallTo(values, "with", noisePicture({kSide, kSide, kFilters}, io::PixelType::f32, 72));
    if (task == "colours") fallTo(values, "with", noisePicture({4, 3}, io::PixelType::f32, 73));
    if (task == "dct") fallTo(values, "keep", std::int64_t{60});
    return values;
}

/// A row's bound: factor (K + 1) + lacks units of the terms, K factor of the smallest float, and what is beside both.
struct Own {
    double factor = 1, lacks = 0, beside = 0;
};

double largestOf(const io::Grid& grid) {
    if (grid.type() == io::PixelType::u8) return 255;
    if (grid.type() == io::PixelType::u16) return 65535;
    double largest = 0;
    for (std::int64_t i = 0; i < grid.shape().values(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(grid.as<float>()[i])));
    return largest;
}

/// 2^-25 where a factor is scaled so that its largest is below 2^15, by 2^120 at most.
double lostOf(double largest) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    return std::ldexp(0x1.01p-25, std::max(exponent - 15, -120));
}

Own ownOf(const Variant& variant, const Posed& posed, double terms) {
    const io::PixelType type = posed.input->type();
    const std::string& task = posed.text("task");
    const bool bytes = type == io::PixelType::u8;
    // OpenCV's colours of bytes have 11 bits behind the point.
    if (isLibrary(variant)) return {64, 0, task == "colours" && bytes ? (3 * 255 + 1) * 0x1p-11 : 0};
    const bool two = variant.id == "tensor_cores", three = variant.id == "tensor_cores_exact";
    if (two || three) {
        const double with = task == "dct" ? 0 : largestOf(posed.picture("with"));
        const double beside = terms * 0x1p-132 * std::max({1.0, largestOf(*posed.input), with});
        if (three) return {6, 1.01, beside};
        // Two bf16 lack 2^-17 of a float, one nothing of a byte, two nothing of 16 bits.
        const bool integers = task == "product" && type != io::PixelType::f32;
        return {3, integers ? (bytes ? 64.0 : 192.0) : 256, beside};
    }
    if (variant.id != "implicit_tensor") return {};
    const double input = largestOf(*posed.input), weight = largestOf(posed.picture("with"));
    return {1, bytes ? 0x1.01p12 : 0x1.01p13, terms * (weight * lostOf(input) + input * lostOf(weight))};
}

Expected sumWithin(const Terms& sum, double terms, const Own& own) {
    return within(sum.value, (own.factor * (terms + 1) + own.lacks) * kEps * sum.magnitude +
                                 own.factor * terms * kTiny + own.beside);
}

Terms productAt(const Posed& posed, const Spot& p) {
    Terms sum;
    for (std::int64_t k = 0; k < posed.input->shape().width; ++k)
        sum.add(posed.input->value(k, p.y, p.z, p.c), posed.picture("with").value(p.x, k));
    return sum;
}

Terms bankAt(const Posed& posed, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    Terms sum;
    for (std::int64_t j = 0; j < kSide; ++j)
        for (std::int64_t i = 0; i < kSide; ++i) {
            const std::int64_t x = p.x + i - kSide / 2, y = p.y + j - kSide / 2;
            if (x >= 0 && y >= 0 && x < s.width && y < s.height)
                sum.add(posed.picture("with").value(i, j, p.z), posed.input->value(x, y, 0, p.c));
        }
    return sum;
}

Terms colourAt(const Posed& posed, const Spot& p) {
    Terms sum;
    for (int k = 0; k < 4; ++k)
        sum.add(posed.picture("with").value(k, p.c), k < 3 ? posed.input->value(p.x, p.y, p.z, k) : 1);
    return sum;
}

/// The orthonormal DCT-II's first rows times themselves: what keeps the lowest `kept` of n frequencies.
std::vector<std::vector<double>> keeping(std::int64_t n, std::int64_t kept) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::vector<double>> matrix(size, std::vector<double>(size));
    const auto cosine = [n](std::int64_t k, std::size_t i) {
        return std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(n)) *
               std::cos(std::numbers::pi * static_cast<double>(k) * (static_cast<double>(i) + 0.5) /
                        static_cast<double>(n));
    };
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            for (std::int64_t k = 0; k < kept; ++k) matrix[i][j] += cosine(k, i) * cosine(k, j);
    return matrix;
}

Expected cosinesAt(const Posed& posed, const Variant& variant, const Spot& p) {
    const io::Shape& s = posed.input->shape();
    const auto kept = [&](std::int64_t n) { return (posed.integer("keep") * n + 99) / 100; };
    const std::int64_t keptX = kept(s.width), keptY = kept(s.height);
    const auto across = keeping(s.width, keptX), down = keeping(s.height, keptY);
    std::vector<double> rows(static_cast<std::size_t>(s.height)), columns(static_cast<std::size_t>(s.width));
    double value = 0, all = 0;
    for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x < columns.size(); ++x) {
            const double v = posed.input->value(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), p.z, p.c);
            value += down[static_cast<std::size_t>(p.y)][y] * v * across[x][static_cast<std::size_t>(p.x)];
            rows[y] += v * v;
            columns[x] += v * v;
            all += v * v;
        }
    // A frequency's row or column is one of sums of the whole layer, of which a value has 2 / n at most.
    const double shorter = static_cast<double>(std::min(s.width, s.height));
    const double length =
        std::sqrt(std::max({std::ranges::max(rows), std::ranges::max(columns), all * std::min(1.0, 2 / shorter)}));
    double roots = 0;
    for (const std::int64_t terms : {s.width, s.height, keptX, keptY}) roots += std::sqrt(static_cast<double>(terms));
    const auto terms = static_cast<double>(std::max(s.width, s.height));
    const Own own = ownOf(variant, posed, terms);
    return within(value,
                  (own.factor * 8 * kHalfEps * roots + own.lacks * 8 * kEps) * length + terms * kTiny + own.beside);
}

std::optional<Definition> of(const Posed& posed) {
    const std::string task = posed.text("task");
    const auto sums = [&posed](double terms, Terms (*at)(const Posed&, const Spot&)) {
        return Definition{.picture = [&posed, terms, at](const Variant& variant, const Spot& p) {
            return sumWithin(at(posed, p), terms, ownOf(variant, posed, terms));
        }};
    };
    Definition made;
    if (task == "product") return sums(static_cast<double>(posed.input->shape().width), &productAt);
    if (task == "bank") return sums(kSide * kSide, &bankAt);
    if (task == "colours") {
        made = sums(4, &colourAt);
    } else if (task == "dct") {
        made.picture = [&posed](const Variant& v, const Spot& p) { return cosinesAt(posed, v, p); };
    } else {
        return std::nullopt;
    }
    if (task == "dct" && posed.text("alpha") != "keep") return made;
    return Definition{.picture = [&posed, at = made.picture](const Variant& variant, const Spot& p) {
        return p.c == 3 ? within(posed.at(p), 0) : at(variant, p);
    }};
}

[[maybe_unused]] const bool kKnown = defines("product", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::product
