// SPDX-License-Identifier: Apache-2.0
#pragma once

// What verifiers_test.cpp plants errors by: of every family, what its definition says of a result and of how far it may
// be off. A family's definition lies in gpu/families/NAME/tests/verifier_definition.cpp and shares no code with the
// family's verifier: a bound that was taken from there would widen with it.

#include "gpu/core/family.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace warplens::gpu::testing {

/// Units of rounding of f32: what a sum's terms may lack, and half of it.
inline constexpr double kEps = 0x1p-23, kHalfEps = 0x1p-24;
/// The smallest f32 above 0, and the smallest normal one.
inline constexpr double kTiny = 0x1p-149, kLeastNormal = 0x1p-126;

/// What the definition says of one number of a result.
struct Expected {
    enum class How {
        exact,    ///< the number that a right result has, and no other
        bounded,  ///< within the bounds of the value; of integers half a unit more
        open      ///< no part of what is verified
    };
    How how = How::exact;
    double value = 0;             ///< unrounded
    double above = 0, below = 0;  ///< how far a result may lie above and below it
};

inline Expected exactly() { return {}; }
inline Expected within(double value, double bound) { return {Expected::How::bounded, value, bound, bound}; }
inline Expected notVerified() { return {.how = Expected::How::open}; }

/// A value's place in a picture.
struct Spot {
    std::int64_t x = 0, y = 0, z = 0;
    int c = 0;
};

/// What was asked, with what a right row made of it.
struct Posed {
    const Family& family;
    std::shared_ptr<const io::Grid> input;
    ParameterValues values;
    const Result& result;

    const std::string& text(const std::string& id) const { return textOf(family.parameters(), values, id); }
    double real(const std::string& id) const { return realOf(family.parameters(), values, id); }
    std::int64_t integer(const std::string& id) const { return integerOf(family.parameters(), values, id); }
    bool flag(const std::string& id) const { return flagOf(family.parameters(), values, id); }
    const io::Grid& picture(const std::string& id) const { return *pictureOf(family.parameters(), values, id)->grid; }
    double at(const Spot& p) const { return input->value(p.x, p.y, p.z, p.c); }
};

/// What is to come out. Where a function is absent, every number is exact.
struct Definition {
    std::function<Expected(const Variant&, const Spot&)> picture{};
    std::function<Expected(const Variant&, const std::string& table, const std::string& column, std::size_t row)>
        number{};
};

struct FamilyDefinition {
    /// Adds what a request of the family cannot do without: a second picture, fewer steps. The values that are given
    /// stay.
    std::function<ParameterValues(const io::Grid& input, ParameterValues values)> complete{};
    /// Nothing where it does not know what is asked: a task, a measure, a matrix that came later.
    std::function<std::optional<Definition>(const Posed&)> of{};
};

/// By family. Filled while the program starts.
inline std::map<std::string, FamilyDefinition>& familyDefinitions() {
    static std::map<std::string, FamilyDefinition> all;
    return all;
}

/// const bool kKnown = defines("product", {...}); in the family's file.
inline bool defines(const std::string& family, FamilyDefinition definition) {
    return familyDefinitions().emplace(family, std::move(definition)).second;
}

/// Keeps a value that was asked for.
template <class Value>
void fallTo(ParameterValues& values, const std::string& id, Value value) {
    values.emplace(id, Parameter::Value(std::move(value)));
}

/// Noise as a parameter: integers over their range, floats from -1 to 1.
Parameter::Value noisePicture(const io::Shape& shape, io::PixelType type, std::uint64_t seed);

/// A sum of products with what its terms are in magnitude.
struct Terms {
    double value = 0, magnitude = 0;
    int count = 0;

    void add(double weight, double x) {
        value += weight * x;
        magnitude += std::fabs(weight * x);
        ++count;
    }
};

inline bool isLibrary(const Variant& variant) { return variant.kind == Variant::Kind::library; }

}  // namespace warplens::gpu::testing
