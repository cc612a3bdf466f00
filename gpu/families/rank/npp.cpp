// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/npp.hpp"

#include "gpu/families/rank/problem.hpp"

#include <algorithm>
#include <limits>

namespace warplens::gpu::library {
namespace {

// Beyond, its medians fault on large pictures: of floats from 7 x 7 on, of bytes at 15 x 15.
constexpr int kLargestOfBytes = 5, kLargestOfFloats = 2;

/// Why NPP has no function for a window, or empty.
std::string nppRankRefusal(const rank::Case& of, const io::Grid& input) {
#if !defined(__x86_64__)
    return "NPP's medians are called on x86-64 alone: its versions differ in how their memory is asked for";
#endif
    if (!of.square() || !of.median() || of.then >= 0) return "NPP is called for medians of squares";
    if (of.border != Border::replicate) return "NPP repeats the edge pixel: choose border replicate";
    if (of.type == io::PixelType::u16) return "NPP is called for u8 and f32";
    const int most = of.type == io::PixelType::f32 ? kLargestOfFloats : kLargestOfBytes;
    const std::string largest = std::to_string(2 * most + 1);
    if (of.window.radius > most) return "NPP is called up to " + largest + " x " + largest + " with this type";
    if (std::min(of.width, of.height) < of.window.side()) return "NPP's window has to fit into the picture";
    if (of.width > std::numeric_limits<int>::max() / static_cast<int>(io::sizeOf(of.type)))
        return "NPP counts the bytes of a row in 31 bits";
    if (rank::holdsNotANumber(input)) return "NPP does not say where it sorts what is not a number";
    return nppRefusal({NppPart::filtering});
}

/// nppiFilterMedianBorder, slice by slice.
NppCalls nppRank(Device& device, const rank::Arguments& of) {
    NppCalls calls(device);
    const NppSize size{of.width, of.height}, mask{of.window.side(), of.window.side()};
    const NppPoint anchor{of.window.radius, of.window.radius};
    const int step = of.width * static_cast<int>(io::sizeOf(of.type));
    const std::string end = "_" + nppNameOf(of.type) + "_C1R";
    std::size_t bytes = 0;
    // Version 13.2 asks for the border as well; earlier ones take no notice of a register more.
    calls.now(NppPart::filtering, "nppiFilterMedianBorderGetBufferSize" + end, size, mask, &bytes, kNppReplicate);
    void* const buffer = calls.at(calls.scratch(bytes));
    const std::size_t slice = static_cast<std::size_t>(step) * static_cast<std::size_t>(of.height);
    for (std::size_t i = 0; i < static_cast<std::size_t>(of.layers); ++i)
        calls.add(NppPart::filtering, "nppiFilterMedianBorder" + end, calls.at(of.input, i * slice), step, size,
                  NppPoint{}, calls.at(of.output, i * slice), step, size, mask, anchor, buffer, kNppReplicate);
    return calls;
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::rank {

RankFrame::Library npp_library() {
    return {.refusal = [](const RankProblem& p) { return library::nppRankRefusal(p.posed(), *p.input()); },
            .open = [](Device& device, const Arguments& of) { return launching(library::nppRank(device, of)); }};
}

}  // namespace warplens::gpu::rank
