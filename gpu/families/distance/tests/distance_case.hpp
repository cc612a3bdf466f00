// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/distance/reference.hpp"
#include "tests/support/family_on_device.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

inline ParameterValues distances(bool squared = false, const std::string& spacing = "pixels", double level = 0.5) {
    return {{"level", level}, {"squared", squared}, {"spacing", spacing}};
}

/// Full scale everywhere but at `share` of the values, which are 0.
inline std::shared_ptr<io::Grid> sprinkled(const io::Shape& shape, io::PixelType type, double share,
                                           std::uint64_t seed = 1) {
    auto grid = noise(shape, io::PixelType::f32, seed);
    auto made = std::make_shared<io::Grid>(shape, type);
    const double top = type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c)
                    made->setValue(x, y, z, c, grid->value(x, y, z, c) < share ? 0 : top);
    return made;
}

/// The definition, pixel by pixel: in 64-bit integers, or in double of what a file's spacing makes of the steps.
struct Definition {
    std::int64_t squared = -1;  ///< in pixels; -1: no site
    double length = std::numeric_limits<double>::infinity();
};
inline Definition definedAt(const io::Grid& input, double level, bool millimetres, std::int64_t x, std::int64_t y,
                            std::int64_t z, int channel) {
    const io::Shape& s = input.shape();
    const auto& mm = input.geometry.spacing;
    Definition found;
    for (std::int64_t k = 0; k < s.depth; ++k)
        for (std::int64_t j = 0; j < s.height; ++j)
            for (std::int64_t i = 0; i < s.width; ++i) {
                if (!(input.value(i, j, k, channel) <= level)) continue;
                const std::int64_t dx = i - x, dy = j - y, dz = k - z, square = dx * dx + dy * dy + dz * dz;
                if (found.squared < 0 || square < found.squared) found.squared = square;
                const auto along = [&](std::int64_t steps, std::size_t axis) {
                    return static_cast<double>(steps) * (millimetres ? mm[axis] : 1.0);
                };
                const double length = std::hypot(along(dx, 0), along(dy, 1), along(dz, 2));
                if (length < found.length) found.length = length;
            }
    return found;
}

class DistanceOnDevice : public FamilyOnDevice {
protected:
    DistanceOnDevice() : FamilyOnDevice("distance") {}

private:
    /// Every exact row has the very values of the definition.
    void expectRight(const Request& request, const RunRecord& run, const std::string& what) override {
        FamilyOnDevice::expectRight(request, run, what);
        if (run.variant == "jump_flooding" || run.kind == Variant::Kind::library) return;
        if (m_input != request.input || m_parameters != request.parameters) {
            m_input = request.input;
            m_parameters = request.parameters;
            m_defined = definitionOf(*m_input, m_parameters);
        }
        expectDefined(*run.result.picture, m_defined, m_parameters, what);
    }

    static std::vector<Definition> definitionOf(const io::Grid& input, const ParameterValues& parameters) {
        const io::Shape& s = input.shape();
        const double level = std::get<double>(parameters.at("level"));
        const bool millimetres = std::get<std::string>(parameters.at("spacing")) == "mm";
        std::vector<Definition> made;
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x)
                    for (int c = 0; c < s.channels; ++c)
                        made.push_back(definedAt(input, level, millimetres, x, y, z, c));
        return made;
    }
    static void expectDefined(const io::Grid& got, const std::vector<Definition>& defined,
                              const ParameterValues& parameters, const std::string& what) {
        const bool squared = std::get<bool>(parameters.at("squared"));
        const bool millimetres = std::get<std::string>(parameters.at("spacing")) == "mm";
        ASSERT_EQ(got.type(), squared && !millimetres ? io::PixelType::u32 : io::PixelType::f32) << what;
        int wrong = 0;
        for (std::size_t i = 0; i < defined.size(); ++i) {
            const Definition& d = defined[i];
            if (squared && !millimetres) {
                const std::uint32_t expected = d.squared < 0 ? 0xffffffffU : static_cast<std::uint32_t>(d.squared);
                wrong += got.as<std::uint32_t>()[i] != expected;
            } else if (!millimetres) {
                const auto root = static_cast<float>(std::sqrt(static_cast<long double>(d.squared)));
                wrong += got.as<float>()[i] != (d.squared < 0 ? std::numeric_limits<float>::infinity() : root);
            } else {
                const double expected = squared ? d.length * d.length : d.length, value = got.as<float>()[i];
                wrong += std::isinf(expected) ? !std::isinf(value) : std::fabs(value - expected) > expected * 0x1p-22;
            }
        }
        EXPECT_EQ(wrong, 0) << what;
    }

    std::shared_ptr<const io::Grid> m_input;  ///< whose distances are defined
    ParameterValues m_parameters;
    std::vector<Definition> m_defined;
};

}  // namespace warplens::gpu::testing
