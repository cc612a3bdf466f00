// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/operator.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/stencil/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace warplens::gpu::stencil {
namespace {

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::vector<double> numbersIn(const std::string& text, const std::string& option) {
    std::string spaced = text;
    std::replace_if(
        spaced.begin(), spaced.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\n'; }, ' ');
    std::istringstream cells(spaced);
    std::vector<double> numbers;
    for (std::string cell; cells >> cell;) {
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        if (end != cell.c_str() + cell.size() || !std::isfinite(static_cast<float>(value))) {
            throw Error(Error::Kind::argument, option + ": value " + std::to_string(numbers.size() + 1) + ", '" +
                                                   cell.substr(0, 40) +
                                                   "', is not a finite number: give numbers with commas between them");
        }
        numbers.push_back(value);
    }
    return numbers;
}

Pattern patternOf(int dimensions) {
    return dimensions == 1 ? Pattern::line : dimensions == 2 ? Pattern::cross : Pattern::star;
}

Operator of(Pattern pattern, const std::vector<double>& weights) {
    Operator op;
    op.pattern = pattern;
    std::transform(weights.begin(), weights.end(), op.weights.begin(), [](double w) { return static_cast<float>(w); });
    return op;
}

/// Every neighbour the same weight.
Operator symmetric(int dimensions, double centre, double neighbour) {
    std::vector<double> weights(static_cast<std::size_t>(1 + 2 * dimensions), neighbour);
    weights[0] = centre;
    return of(patternOf(dimensions), weights);
}

Operator given(const std::vector<double>& numbers) {
    switch (numbers.size()) {
        case 3: return of(Pattern::line, numbers);
        case 5: return of(Pattern::cross, numbers);
        case 7: return of(Pattern::star, numbers);
        default:
            throw Error(Error::Kind::argument,
                        "coefficients: " + std::to_string(numbers.size()) +
                            " values: give 3 (1D: centre, x-1, x+1), 5 (2D, and y-1, y+1) or 7 (3D, and z-1, z+1)");
    }
}

Operator boxOf(const std::string& text) {
    auto numbers = numbersIn(text, "weights27");
    // The product of three smallest binomials: 8, 4, 2 and 1 over 64.
    if (numbers.empty()) numbers = {8 / 64.0, 4 / 64.0, 2 / 64.0, 1 / 64.0};
    if (numbers.size() == 4) {
        const auto byDistance = numbers;
        numbers.clear();
        for (int i = 0; i < 27; ++i) {
            const int off = (i % 3 != 1) + (i / 3 % 3 != 1) + (i / 9 != 1);
            numbers.push_back(byDistance[static_cast<std::size_t>(off)]);
        }
    }
    if (numbers.size() != 27) {
        throw Error(Error::Kind::argument,
                    "weights27: " + std::to_string(numbers.size()) +
                        " values: give 27 (z, y, x order, x fastest) or 4 (centre, face, edge, corner)");
    }
    return of(Pattern::box, numbers);
}

/// 1 to 3 as asked for; a volume has 3 axes and a picture 2 unless the user says otherwise.
int dimensionsFor(const std::string& choice, int depth) {
    if (choice != "auto") return choice.front() - '0';
    return depth > 1 ? 3 : 2;
}

Described heat(const Chosen& chosen, int dimensions) {
    const double step = chosen.step, limit = 1 / (2.0 * dimensions * chosen.diffusivity);
    const std::string fact = "stable up to a step of " + digits(limit);
    if (step > limit && !chosen.force) {
        throw Error(Error::Kind::argument, "step: " + digits(step) + " is beyond the stability limit " + digits(limit) +
                                               " of " + std::to_string(dimensions) +
                                               "D heat: take a smaller step, or force it");
    }
    const double r = chosen.diffusivity * step;
    return {symmetric(dimensions, 1 - 2 * dimensions * r, r), {step > limit ? fact + ": this one is unstable" : fact}};
}

Described named(const Chosen& chosen, int depth) {
    const std::string &name = chosen.stencil, &choice = chosen.dimensions;
    const int d = dimensionsFor(choice, depth);
    if (name == "heat") return heat(chosen, d);
    if (name == "jacobi") return {symmetric(d, 0, 1 / (2.0 * d)), {"Jacobi iteration of Laplace's equation"}};
    if (name == "smoothing") return {symmetric(d, 0.5, 1 / (4.0 * d)), {}};
    if (name == "sharpening") return {symmetric(d, 1 + 2 * d * chosen.amount, -chosen.amount), {}};
    const bool blur = name == "blur";
    if (choice != "auto" && d != (blur ? 1 : 3)) {
        throw Error(Error::Kind::argument,
                    "dimensions: " + choice + " is not possible: stencil " + name + " is " + (blur ? "1D" : "3D"));
    }
    if (blur) return {symmetric(1, 0.5, 0.25), {}};
    return {boxOf(chosen.weights27), {}};
}

}  // namespace

double Operator::sum() const {
    double total = 0;
    for (int i = 0; i < taps(); ++i) total += weights[static_cast<std::size_t>(i)];
    return total;
}

double Operator::sumOfMagnitudes() const {
    double total = 0;
    for (int i = 0; i < taps(); ++i) total += std::fabs(weights[static_cast<std::size_t>(i)]);
    return total;
}

Operator Operator::onSlab(int first, int count, int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    Operator part = *this;
    part.regions.clear();
    for (Region region : regions) {
        region.first[a] = std::max(region.first[a] - first, 0);
        region.last[a] = std::min(region.last[a] - first, count - 1);
        if (region.first[a] <= region.last[a]) part.regions.push_back(region);
    }
    return part;
}

Described makeOperator(const ParameterValues& values, int width, int height, int depth) {
    const Chosen chosen = parameters().read(values);
    const std::string& name = chosen.stencil;
    const auto numbers = numbersIn(chosen.coefficients, "coefficients");
    Described result;
    if (!numbers.empty()) {
        // Given values need no --stencil; their count says how many axes there are.
        result.op = given(numbers);
        const std::string& choice = chosen.dimensions;
        if (choice != "auto" && choice.front() - '0' != dimensionsOf(result.op.pattern)) {
            throw Error(Error::Kind::argument, "dimensions: " + choice + " does not fit " +
                                                   std::to_string(numbers.size()) + " coefficients, which are " +
                                                   std::to_string(dimensionsOf(result.op.pattern)) + "D");
        }
    } else if (name == "custom") {
        throw Error(Error::Kind::argument, "coefficients: stencil custom has none: give 3, 5 or 7 numbers");
    } else {
        result = named(chosen, depth);
    }
    Operator& op = result.op;
    const int d = dimensionsOf(op.pattern);
    std::vector<std::string> facts{(numbers.empty() ? name : std::string("given coefficients")) + ", " +
                                   std::to_string(op.taps()) + " points in " + std::to_string(d) + "D" +
                                   (d < 3 && depth > 1 ? ", slice by slice" : "")};
    facts.push_back("weights sum to " + digits(op.sum()) + ", magnitudes to " + digits(op.sumOfMagnitudes()));
    facts.insert(facts.end(), result.facts.begin(), result.facts.end());
    op.regions = parseRegions(chosen.regions, width, height, depth);
    if (!op.regions.empty()) {
        facts.push_back(std::to_string(op.regions.size()) +
                        (op.regions.size() == 1 ? " region held" : " regions held"));
    }
    if (width < 3 || (d >= 2 && height < 3) || (d == 3 && depth < 3)) {
        facts.emplace_back("nothing changes: an axis in use has fewer than 3 cells");
    }
    result.facts = std::move(facts);
    return result;
}

}  // namespace warplens::gpu::stencil
