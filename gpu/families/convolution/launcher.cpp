// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/launcher.hpp"

#include "gpu/families/convolution/table.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>

namespace warplens::gpu::convolution {

Launcher::Launcher(const ConvolutionProblem& problem, Device& device)
    : m_problem(problem), m_device(device), m_arguments(problem.arguments()) {
    const auto& weights = problem.filter().weights;
    m_filter = device.allocate(weights.size() * sizeof(float));
    device.upload(m_filter, weights.data(), weights.size() * sizeof(float));
    m_arguments.filter = m_filter.handle();
}

void Launcher::place(const Buffer& input, const Buffer& output, std::int64_t slices, std::int64_t lead) {
    m_arguments.input = input.handle();
    m_arguments.output = output.handle();
    m_arguments.planes = m_problem.filteredChannels() * (m_problem.volume() ? 1 : static_cast<int>(slices));
    m_arguments.depth = static_cast<int>(slices);
    m_arguments.lead = static_cast<int>(lead);
}

void Launcher::prepare(const Variant& variant, const TunableValues& tunables) {
    m_entry = ladder().entryOf(variant, m_device.info());
    m_tunables = tunables;
    if (m_entry->needsScratch && !m_scratch) {
        m_scratch = m_device.allocate(sizeof(float) * m_arguments.width * m_arguments.height * m_arguments.planes);
        m_arguments.scratch = m_scratch.handle();
    }
    if (m_entry->prepare != nullptr) m_entry->prepare(m_device.context(), m_arguments);
}

void Launcher::launch() {
    const auto launch = m_problem.volume() ? m_entry->volume.launch : m_entry->launch;
    launch(m_device.context(), m_arguments, m_tunables);
}

void Launcher::copyAlpha() {
    const auto kept = static_cast<std::size_t>(m_problem.filteredChannels());
    if (m_problem.filteredChannels() == m_problem.input().shape().channels) return;
    const auto slice = static_cast<std::size_t>(m_arguments.width) * static_cast<std::size_t>(m_arguments.height);
    const auto slices = static_cast<std::size_t>(m_arguments.depth), lead = static_cast<std::size_t>(m_arguments.lead);
    const auto from = (kept * (slices + 2 * lead) + lead) * slice, to = kept * slices * slice;
    layoutEntry(m_device.info())
        .convert(m_device.context(), m_arguments.input, from * io::sizeOf(m_arguments.inputType), m_arguments.inputType,
                 m_arguments.output, to * io::sizeOf(m_arguments.outputType), m_arguments.outputType, slices * slice);
}

std::int64_t deviceBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo) {
    const auto& s = problem.input().shape();
    const std::int64_t pixels = s.width * s.height;
    const auto input =
        (slices + 2 * halo) * pixels * s.channels * static_cast<std::int64_t>(io::sizeOf(problem.input().type()));
    const auto output = slices * pixels * s.channels * static_cast<std::int64_t>(io::sizeOf(problem.outputType()));
    constexpr std::int64_t kFloat = sizeof(float);
    const auto scratch = problem.separation() ? slices * pixels * problem.filteredChannels() * kFloat : 0;
    const auto interleaved = s.channels > 1 ? std::max(input, output) : 0;
    return input + output + scratch + interleaved + static_cast<std::int64_t>(problem.filter().weights.size()) * kFloat;
}

}  // namespace warplens::gpu::convolution
