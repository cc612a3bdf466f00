// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/npp.hpp"

#include "gpu/families/distance/problem.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu::library {
namespace {

// Its bands are of 64 pixels, and its coordinates of 16 bits with a sign.
constexpr int kLeastExtent = 64, kMostExtent = 32767;

/// Whether each channel has a value at or below the level.
bool hasSites(const distance::Case& of, const io::Grid& input) {
    for (int c = 0; c < of.channels; ++c) {
        bool found = false;
        for (int y = 0; y < of.height && !found; ++y)
            for (int x = 0; x < of.width && !found; ++x) found = input.value(x, y, 0, c) <= of.level;
        if (!found) return false;
    }
    return true;
}

/// Why NPP has no function for it, or empty.
std::string nppDistanceRefusal(const distance::Case& of, const io::Grid& input) {
    if (of.depth > 1) return "NPP's distances have two dimensions";
    if (of.type != io::PixelType::u8) return "NPP is called for pictures of u8";
    if (of.squared) return "NPP gives no squared distances";
    if (of.millimetres) return "NPP knows no spacing: choose pixels";
    if (std::min(of.width, of.height) < kLeastExtent || std::max(of.width, of.height) > kMostExtent)
        return "NPP measures distances in pictures of 64 to 32,767 pixels to a side";
    if (!hasSites(of, input)) return "NPP says nothing about a channel without a value at or below the level";
    return nppRefusal({NppPart::filtering});
}

/// nppiDistanceTransformPBA, channel by channel.
NppCalls nppDistance(Device& device, const distance::Arguments& of) {
    NppCalls calls(device);
    const NppSize size{of.width, of.height};
    std::size_t bytes = 0;
    calls.ask(NppPart::filtering, "nppiDistanceTransformPBAGetBufferSize", size, &bytes);
    void* const buffer = calls.at(calls.scratch(bytes));
    const auto pixels = static_cast<std::size_t>(of.width) * static_cast<std::size_t>(of.height);
    // Voronoi diagrams, their indices and distances along the axes are not asked for.
    void* const none = nullptr;
    const auto most = static_cast<std::uint8_t>(std::clamp(std::floor(of.level), 0.0, 255.0));
    const int outputStep = of.width * static_cast<int>(sizeof(float));
    for (std::size_t c = 0; c < static_cast<std::size_t>(of.channels); ++c)
        calls.add(NppPart::filtering, "nppiDistanceTransformPBA_8u32f_C1R", calls.at(of.input, c * pixels), of.width,
                  std::uint8_t{0}, most, none, 0, none, 0, none, 0, calls.at(of.output, c * pixels * sizeof(float)),
                  outputStep, size, buffer);
    return calls;
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::distance {

DistanceFrame::Library npp_library() {
    return {.refusal = [](const DistanceProblem& p) { return library::nppDistanceRefusal(p.posed(), *p.input()); },
            .open = [](Device& device, const Arguments& of) { return launching(library::nppDistance(device, of)); },
            .bound = kLibraryBound,
            .note = kLibraryNote};
}

}  // namespace warplens::gpu::distance
