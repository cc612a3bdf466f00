// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/npp.hpp"

#include "gpu/families/scan/problem.hpp"

#include <limits>

namespace warplens::gpu::library {
namespace {

/// Why NPP has no call that does the same, or empty.
std::string nppScanRefusal(const scan::ScanOptions& asked, const io::Grid& input) {
    if (asked.task != scan::Task::integral) return "NPP has integral pictures: no other running sums of pictures";
    if (input.type() != io::PixelType::u8) return "NPP makes integral pictures of u8 alone";
    constexpr auto kMostBytes = std::numeric_limits<int>::max();
    if ((input.shape().width + 1) * static_cast<std::int64_t>(sizeof(std::uint32_t)) > kMostBytes)
        return "NPP counts the bytes of a row in 31 bits";
    return nppRefusal({NppPart::statistics, NppPart::exchange});
}

/// nppiIntegral, slice by slice. Its integral pictures have a row and a column of zeros before the first, so that a
/// second set of calls, which is not timed, puts the rest where it belongs.
LibraryCalls nppIntegral(Device& device, const scan::Integral& of) {
    constexpr int kSum = sizeof(std::uint32_t);
    NppCalls sums(device), cut(device);
    const NppSize size{of.width, of.height};
    const int step = of.width * kSum, wideStep = (of.width + 1) * kSum;
    const auto pixels = static_cast<std::size_t>(of.width) * static_cast<std::size_t>(of.height);
    const auto wideSlice = static_cast<std::size_t>(wideStep) * (static_cast<std::size_t>(of.height) + 1);
    const auto slices = static_cast<std::size_t>(of.slices);
    const Buffer& wide = sums.scratch(slices * wideSlice);
    for (std::size_t i = 0; i < slices; ++i) {
        sums.add(NppPart::statistics, "nppiIntegral_8u32s_C1R", sums.at(of.input, i * pixels), of.width,
                 sums.at(wide, i * wideSlice), wideStep, size, 0);
        cut.add(NppPart::exchange, "nppiCopy_32s_C1R",
                sums.at(wide, i * wideSlice + static_cast<std::size_t>(wideStep) + kSum), wideStep,
                sums.at(of.output, i * pixels * kSum), step, size);
    }
    const auto made = std::make_shared<NppCalls>(std::move(sums)), kept = std::make_shared<NppCalls>(std::move(cut));
    return {.launch = [made] { made->launch(); },
            .poison = [made] { made->poison(); },
            .finish = [kept] { kept->launch(); }};
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::scan {

ScanFrame::Library npp_library() {
    return {.refusal = [](const ScanProblem& p) { return library::nppScanRefusal(p.posed(), *p.input()); },
            .open = [](Device& device, const LibraryCase& of) { return library::nppIntegral(device, of.integral); }};
}

}  // namespace warplens::gpu::scan
