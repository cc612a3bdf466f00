// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/npp.hpp"

#include "gpu/families/layout/problem.hpp"

#include <limits>

namespace warplens::gpu::library {
namespace {

using LayoutTask = layout::Task;

// NppiAxis: the one that a picture is mirrored about.
constexpr int kHorizontalAxis = 0, kVerticalAxis = 1, kBothAxes = 2;

/// Of a picture, and of one that pixels of so many channels are made of.
std::int64_t bytesOfRow(const layout::Case& of, int channels) {
    return of.asked.input.width * channels * static_cast<std::int64_t>(io::sizeOf(of.type));
}

void addPacks(NppCalls& calls, const layout::Arguments& of) {
    const int width = static_cast<int>(of.asked.input.width), channels = of.packing.channels;
    const NppSize size{width, static_cast<int>(of.packing.pixels / width)};
    const auto plane = static_cast<std::size_t>(of.packing.pixels) * io::sizeOf(of.type);
    const int planeStep = static_cast<int>(bytesOfRow(of, 1)), pixelStep = static_cast<int>(bytesOfRow(of, channels));
    const auto planes = [&](std::uint64_t handle) {
        std::vector<void*> all;
        for (int c = 0; c < channels; ++c) all.push_back(calls.at(handle, static_cast<std::size_t>(c) * plane));
        return all;
    };
    const std::string count = std::to_string(channels), start = "nppiCopy_" + nppNameOf(of.type) + "_";
    // The addresses are read while the call is made, so they stay with the calls.
    if (of.packing.toPlanes)
        calls.add(NppPart::exchange, start + "C" + count + "P" + count + "R", calls.at(of.input), pixelStep,
                  calls.keep(planes(of.output)), planeStep, size);
    else
        calls.add(NppPart::exchange, start + "P" + count + "C" + count + "R", calls.keep(planes(of.input)), planeStep,
                  calls.at(of.output), pixelStep, size);
}

void addSlice(NppCalls& calls, const layout::Case& of, void* from, void* to) {
    const io::Shape& in = of.asked.input;
    const NppSize size{static_cast<int>(in.width), static_cast<int>(in.height)};
    const auto step = [&](std::int64_t width) {
        return static_cast<int>(width) * static_cast<int>(io::sizeOf(of.type));
    };
    const std::string end = "_" + nppNameOf(of.type) + "_C1R";
    const auto mirror = [&](int axis) {
        calls.add(NppPart::geometry, "nppiMirror" + end, from, step(in.width), to, step(in.width), size, axis);
    };
    switch (of.asked.task) {
        case LayoutTask::transpose:
            return calls.add(NppPart::exchange, "nppiTranspose" + end, from, step(in.width), to, step(in.height), size);
        case LayoutTask::rotate180: return mirror(kBothAxes);
        case LayoutTask::flipX: return mirror(kVerticalAxis);
        case LayoutTask::flipY: return mirror(kHorizontalAxis);
        default: return calls.add(NppPart::exchange, "nppiCopy" + end, from, step(in.width), to, step(in.width), size);
    }
}

/// Why NPP has no call for a task, or empty.
std::string nppLayoutRefusal(const layout::Case& of) {
    const layout::LayoutOptions& asked = of.asked;
    if (asked.task == LayoutTask::rotate90 || asked.task == LayoutTask::rotate270)
        return "NPP's quarter turns interpolate: it is for copy, transpose, rotate180, flips, planar and interleaved";
    if (asked.task == LayoutTask::reslice) return "NPP turns pictures: it has no call that puts axes in another order";
    if (asked.task == LayoutTask::crop) return "NPP copies whole rows here: rows takes a part of them";
    if (asked.readsOutOfStep()) return "NPP has no call that reads out of step";
    if (asked.packs() && asked.packedChannels() != 3 && asked.packedChannels() != 4)
        return "NPP's pixels have 3 or 4 channels where planes are made of them";
    if (bytesOfRow(of, asked.packs() ? asked.packedChannels() : 1) > std::numeric_limits<int>::max())
        return "NPP counts the bytes of a row in 31 bits";
    return nppRefusal({NppPart::exchange, NppPart::geometry});
}

/// nppiCopy, nppiTranspose or nppiMirror, slice by slice; between planes and pixels one call of nppiCopy.
NppCalls nppLayout(Device& device, const layout::Arguments& of) {
    NppCalls calls(device);
    if (of.asked.packs()) {
        addPacks(calls, of);
        return calls;
    }
    const io::Shape& s = of.asked.input;
    const std::size_t slice = static_cast<std::size_t>(s.width * s.height) * io::sizeOf(of.type);
    const auto slices = static_cast<std::size_t>(s.depth * s.channels);
    for (std::size_t i = 0; i < slices; ++i)
        addSlice(calls, of, calls.at(of.input, i * slice), calls.at(of.output, i * slice));
    return calls;
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::layout {

LayoutFrame::Library npp_library() {
    return {.refusal = [](const LayoutProblem& problem) { return library::nppLayoutRefusal(problem.posed()); },
            .open = [](Device& device, const Arguments& of) { return launching(library::nppLayout(device, of)); }};
}

}  // namespace warplens::gpu::layout
