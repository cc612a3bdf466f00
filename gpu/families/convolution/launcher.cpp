// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/launcher.hpp"

#include "gpu/device/specialisation_mode.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>

namespace warplens::gpu::convolution {
namespace {

/// Of the weights that kernels read one by one; where none can, of one.
std::size_t weightBytes(const ConvolutionProblem& problem) {
    return (problem.filter().isBox() ? problem.filter().weights.size() : 1) * sizeof(float);
}

/// For a launcher's arguments: the weights that are not 0 where the compiler shall get all, else 0.
std::int16_t constantTapsOf(const ConvolutionProblem& problem) {
    const SpecialisationMode wish = specialisingWish();
    if (problem.volume() || wish == SpecialisationMode::off || wish == SpecialisationMode::extent) return 0;
    const std::vector<float>& weights = problem.filter().weights;
    const auto taps = static_cast<std::size_t>(std::ranges::count_if(weights, [](float w) { return w != 0; }));
    return wish == SpecialisationMode::weights || 3 * taps <= 2 * weights.size() ? static_cast<std::int16_t>(taps)
                                                                                 : std::int16_t{0};
}

}  // namespace

Launcher::Launcher(const ConvolutionProblem& problem, Device& device)
    : m_problem(problem), m_device(device), m_arguments(problem.arguments()) {
    const auto bytes = weightBytes(problem);
    m_filter = device.allocate(bytes);
    device.upload(m_filter, problem.filter().weights.data(), bytes);
    m_arguments.filter = m_filter.handle();
    m_arguments.constantTaps = constantTapsOf(problem);
}

void Launcher::place(const Buffer& input, const Buffer& output, std::int64_t slices, std::int64_t lead,
                     std::int64_t pitch) {
    m_arguments.pitch = pitch > 0 ? static_cast<int>(pitch) : m_arguments.width;
    m_arguments.input = input.handle();
    m_arguments.output = output.handle();
    m_arguments.planes = m_problem.filteredChannels() * (m_problem.volume() ? 1 : static_cast<int>(slices));
    m_arguments.depth = static_cast<int>(slices);
    m_arguments.lead = static_cast<int>(lead);
}

void Launcher::prepare(const Variant& variant, const TunableValues& tunables) {
    m_entry = ladder().entryOf(variant, m_device.info());
    m_tunables = tunables;
    const VolumeEntry& volume = m_entry->volume;
    const std::size_t plane = sizeof(float) * m_arguments.width * m_arguments.height * m_arguments.planes;
    const std::size_t scratch = m_problem.volume()
                                    ? plane * (m_arguments.depth + 2 * m_arguments.lead) * volume.scratchVolumes
                                    : m_entry->needsScratch * plane;
    if (scratch > m_scratch.bytes()) {
        m_scratch = {};
        m_scratch = m_device.allocate(scratch);
        m_arguments.scratch = m_scratch.handle();
    }
    const auto prepare = m_problem.volume() && volume.prepare != nullptr ? volume.prepare : m_entry->prepare;
    if (prepare != nullptr) prepare(m_device.context(), m_arguments);
    m_device.specialise([this] { launch(); });
}

void Launcher::launch() {
    const auto launch = m_problem.volume() ? m_entry->volume.launch : m_entry->launch;
    launch(m_device.context(), m_arguments, m_tunables);
}

void Launcher::copyAlpha() {
    const auto kept = static_cast<std::size_t>(m_problem.filteredChannels());
    if (m_problem.filteredChannels() == m_problem.input()->shape().channels) return;
    const auto slice = static_cast<std::size_t>(m_arguments.width) * static_cast<std::size_t>(m_arguments.height);
    const auto slices = static_cast<std::size_t>(m_arguments.depth), lead = static_cast<std::size_t>(m_arguments.lead);
    const auto from = (kept * (slices + 2 * lead) + lead) * slice, to = kept * slices * slice;
    layoutEntry(m_device.info())
        .convert(m_device.context(), m_arguments.input, from * io::sizeOf(m_arguments.inputType), m_arguments.inputType,
                 m_arguments.output, to * io::sizeOf(m_arguments.outputType), m_arguments.outputType, slices * slice);
}

std::int64_t ownBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo) {
    const auto& s = problem.input()->shape();
    // In three dimensions the rung of three passes takes two volumes.
    const auto floats = problem.volume() ? 2 * (slices + 2 * halo) : slices;
    const auto values = problem.separation() ? floats * s.width * s.height * problem.filteredChannels() : 0;
    return values * static_cast<std::int64_t>(sizeof(float)) + static_cast<std::int64_t>(weightBytes(problem));
}

std::int64_t deviceBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo) {
    const auto& s = problem.input()->shape();
    const std::int64_t pixels = s.width * s.height;
    const auto input =
        (slices + 2 * halo) * pixels * s.channels * static_cast<std::int64_t>(io::sizeOf(problem.input()->type()));
    const auto output = slices * pixels * s.channels * static_cast<std::int64_t>(io::sizeOf(problem.outputType()));
    const auto interleaved = s.channels > 1 ? std::max(input, output) : 0;
    return input + output + interleaved + ownBytes(problem, slices, halo);
}

}  // namespace warplens::gpu::convolution
