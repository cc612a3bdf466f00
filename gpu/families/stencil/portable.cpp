// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/portable.hpp"

#include "gpu/core/error.hpp"
#include "gpu/kernels/host_planes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warplens::gpu::stencil {

PlainStep plainStepOf(const StencilProblem& problem) {
    const Operator& op = problem.op();
    const Extent extent = problem.extent();
    PlainStep step{.width = extent.width,
                   .height = extent.height,
                   .depth = extent.depth,
                   .fields = extent.stepped,
                   .axes = dimensionsOf(op.pattern),
                   .taps = op.taps(),
                   .weights = op.weights,
                   .offsets = {},
                   .boxes = static_cast<int>(op.regions.size()),
                   .box = {}};
    const std::int64_t row = extent.width, slice = row * extent.height;
    if (op.pattern == Pattern::box) {
        for (int i = 0; i < step.taps; ++i)
            step.offsets[static_cast<std::size_t>(i)] = (i / 9 - 1) * slice + (i / 3 % 3 - 1) * row + i % 3 - 1;
    } else {
        step.offsets = {0, -1, 1, -row, row, -slice, slice};
    }
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
        std::ranges::copy(op.regions[i].first, step.box.begin() + static_cast<std::ptrdiff_t>(6 * i));
        std::ranges::copy(op.regions[i].last, step.box.begin() + static_cast<std::ptrdiff_t>(6 * i + 3));
    }
    return step;
}

std::vector<float> startOf(const StencilProblem& problem) {
    const io::Grid& input = *problem.input();
    const Extent extent = problem.extent();
    std::vector<float> fields;
    fields.reserve(extent.cells() * static_cast<std::size_t>(extent.stepped));
    for (int c = 0; c < extent.stepped; ++c) {
        for (int z = 0; z < extent.depth; ++z) {
            for (int y = 0; y < extent.height; ++y) {
                for (int x = 0; x < extent.width; ++x) {
                    float value = static_cast<float>(input.value(x, y, z, c));
                    for (const Region& r : problem.op().regions)
                        if (x >= r.first[0] && x <= r.last[0] && y >= r.first[1] && y <= r.last[1] && z >= r.first[2] &&
                            z <= r.last[2])
                            value = r.value;
                    fields.push_back(value);
                }
            }
        }
    }
    return fields;
}

Result resultOf(const StencilProblem& problem, const std::vector<float>& fields, const ConvergenceHistory& evolution) {
    io::Grid field(problem.input()->shape(), io::PixelType::f32);
    const int stepped = problem.extent().stepped;
    std::vector<std::byte> planes(fields.size() * sizeof(float));
    std::memcpy(planes.data(), fields.data(), planes.size());
    fillFromPlanes(planes, stepped, field);
    copyChannels(*problem.input(), stepped, field);
    return {.picture = problem.finish(std::move(field)), .tables = tablesOf(evolution)};
}

bool Steps::more() {
    m_stopped = m_stopped || m_stop.stop_requested();
    if (m_stopped || m_reached || m_evolution.iterations >= m_schedule.iterations) return false;
    ++m_evolution.iterations;
    return true;
}

bool Steps::looks() const {
    const std::int64_t every = m_schedule.residualEvery, now = m_evolution.iterations;
    return every > 0 && (now % every == 0 || now == m_schedule.iterations);
}

void Steps::saw(std::uint32_t change) {
    const auto value = static_cast<double>(std::bit_cast<float>(change));
    m_evolution.residuals.push_back({m_evolution.iterations, value});
    m_reached = value < m_schedule.tolerance;
    if (m_reached) m_evolution.stopped = "tolerance";
}

const ConvergenceHistory& Steps::evolution() const {
    if (m_stopped) throw Error(Error::Kind::cancelled, "stopped");
    return m_evolution;
}

}  // namespace warplens::gpu::stencil
