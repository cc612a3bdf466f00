// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/stepper.hpp"

#include "gpu/device/lane.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warplens::gpu::stencil {
namespace {

// A first guess that a slow GPU (20 Gcell/s) takes 50 ms for; then the clock decides.
constexpr double kFirstSlice = 1e9;
constexpr double kSliceSeconds = 0.04;
// A graph runs to its end: no longer than a first slice, and no more launches than make a graph quickly.
constexpr std::int64_t kMostRecordedSteps = 20000;

}  // namespace

Stepper::Stepper(Device& device, const Extent& extent, Operator op)
    : m_device(device), m_extent(extent), m_op(std::move(op)), m_slice(kFirstSlice) {
    const auto bytes = extent.planeValues() * static_cast<std::size_t>(extent.channels) * sizeof(float);
    for (Buffer& buffer : m_buffers) buffer = device.allocate(bytes);
    m_result = device.allocate(sizeof(std::uint32_t));
}

std::int64_t Stepper::bytesFor(const Extent& extent, bool copiesStart) {
    const auto own = static_cast<std::int64_t>(extent.planeValues() * sizeof(float)) * extent.channels;
    const auto copied = static_cast<std::int64_t>(extent.cells() * sizeof(float)) * extent.channels;
    return own * (extent.pitch > 0 ? 3 : 2) + (copiesStart ? copied : 0);
}

void Stepper::reserveStart() {
    const auto values = m_extent.cells() * static_cast<std::size_t>(m_extent.channels);
    if (!m_own) m_own = m_device.allocate(values * sizeof(float));
}

void Stepper::place(const Extent& extent, Operator op) {
    m_extent = extent;
    m_op = std::move(op);
}

void Stepper::load(const Buffer& planes, io::PixelType type) {
    for (auto& [row, recorded] : m_graphs) recorded = {};
    m_start = &planes;
    if (type != io::PixelType::f32 || !m_op.regions.empty()) {
        reserveStart();
        const auto values = m_extent.cells() * static_cast<std::size_t>(m_extent.channels);
        layoutEntry(m_device.info())
            .convert(m_device.context(), planes.handle(), 0, type, m_own.handle(), 0, io::PixelType::f32, values);
        fieldEntry(m_device.info())
            .hold(m_device.context(), m_own.handle(), m_extent.width, m_extent.height, m_extent.depth, m_extent.stepped,
                  m_op);
        m_start = &m_own;
    }
    if (m_extent.pitch > 0) {
        const auto rows = static_cast<std::int64_t>(m_extent.height) * m_extent.depth * m_extent.channels;
        m_padded = m_device.allocate(static_cast<std::size_t>(rows * m_extent.pitch) * sizeof(float));
        layoutEntry(m_device.info())
            .repitch(m_device.context(), m_start->handle(), m_extent.width, m_padded.handle(), m_extent.pitch,
                     m_extent.width, rows, io::PixelType::f32);
        m_start = &m_padded;
    }
    carryChannels();
    restart();
}

// Channels that are not iterated lie in both buffers from the beginning.
void Stepper::carryChannels() {
    if (m_extent.stepped == m_extent.channels) return;
    const auto before = m_extent.planeValues() * static_cast<std::size_t>(m_extent.stepped) * sizeof(float);
    const auto count = m_extent.planeValues() * static_cast<std::size_t>(m_extent.channels - m_extent.stepped);
    for (const Buffer& buffer : m_buffers) {
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_start->handle(), before, io::PixelType::f32, buffer.handle(), before,
                     io::PixelType::f32, count);
    }
}

void Stepper::prepare(const Variant& variant, const TunableValues& tunables) {
    m_entry = ladder().entryOf(variant, m_device.info());
    m_tunables = tunables;
    m_recorded = &m_graphs[{variant.id, tunables}];
    m_slice = kFirstSlice;
    m_sinceWait = 0;
}

void Stepper::restart() {
    m_now = m_start;
    m_before = nullptr;
    m_step = 0;
}

void Stepper::poison() {
    for (const Buffer& buffer : m_buffers) m_device.fill(buffer, 0xff);
    carryChannels();
}

Pass Stepper::describe(int steps) const {
    return {.input = m_now->handle(),
            .output = next().handle(),
            .width = m_extent.width,
            .pitch = m_extent.rowValues(),
            .height = m_extent.height,
            .depth = m_extent.depth,
            .fields = m_extent.stepped,
            .steps = steps,
            .op = &m_op};
}

int Stepper::stepsOfPass(std::int64_t left) const {
    const int most = static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
    return m_entry->stepsOf == nullptr ? 1 : m_entry->stepsOf(m_tunables, m_op.pattern, most);
}

std::function<void()> Stepper::slices(int steps, std::int64_t first, std::int64_t last) {
    Pass part = describe(steps);
    part.firstSlice = static_cast<int>(first);
    part.lastSlice = static_cast<int>(last);
    return [this, part] { m_entry->launch(m_device.context(), part, m_tunables); };
}

void Stepper::passed(int steps) {
    const Buffer& made = next();
    m_before = m_now;
    m_now = &made;
    m_step += steps;
}

void Stepper::pass(int steps, bool findsChange) {
    Pass whole = describe(steps);
    if (findsChange) whole.change = m_result.handle();
    m_entry->launch(m_device.context(), whole, m_tunables);
    passed(steps);
    keepPace(m_extent.cells() * static_cast<std::size_t>(m_extent.stepped) * static_cast<std::size_t>(steps));
}

void Stepper::keepPace(std::size_t cellSteps) {
    const auto now = std::chrono::steady_clock::now();
    if (m_sinceWait == 0) m_waited = now;
    m_sinceWait += static_cast<double>(cellSteps);
    if (m_sinceWait < m_slice || isCapturing(m_device)) return;
    m_device.synchronize();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_waited).count();
    m_slice = std::max(1.0, m_sinceWait * std::clamp(kSliceSeconds / std::max(seconds, 1e-6), 0.1, 8.0));
    m_sinceWait = 0;
}

void Stepper::advance(std::int64_t steps) {
    while (steps > 0) {
        const int taken = stepsOfPass(steps);
        pass(taken);
        steps -= taken;
    }
}

void Stepper::run(std::int64_t steps) {
    restart();
    const double cellSteps = static_cast<double>(m_extent.cells()) * m_extent.stepped * static_cast<double>(steps);
    // What somebody else records holds the launches themselves.
    if (cellSteps > kFirstSlice || steps > kMostRecordedSteps || isCapturing(m_device)) return advance(steps);
    if (m_recorded->steps != steps) {
        // The kernels' code is loaded by the plain launches of the first time.
        *m_recorded = {.graph = nullptr, .steps = steps, .before = nullptr, .now = nullptr};
        return advance(steps);
    }
    if (!m_recorded->graph) {
        m_recorded->graph = m_device.record([&] { advance(steps); });
        if (!m_recorded->graph) return advance(steps);
        m_recorded->before = m_before;
        m_recorded->now = m_now;
    }
    m_recorded->graph->launch();
    m_before = m_recorded->before;
    m_now = m_recorded->now;
    m_step = steps;
}

double Stepper::advanceAndCompare(std::int64_t steps) {
    advance(steps - 1);
    if (!m_entry->findsChange) {
        pass(1);
        return change();
    }
    m_device.fill(m_result, 0);
    pass(1, true);
    return fetchChange();
}

double Stepper::change() {
    m_device.fill(m_result, 0);
    fieldEntry(m_device.info())
        .maxChange(m_device.context(), m_before->handle(), m_now->handle(),
                   m_extent.cells() * static_cast<std::size_t>(m_extent.stepped), m_result.handle());
    return fetchChange();
}

double Stepper::fetchChange() {
    std::uint32_t bits = 0;
    m_device.download(&bits, m_result, sizeof bits);
    m_sinceWait = 0;
    return static_cast<double>(std::bit_cast<float>(bits));
}

}  // namespace warplens::gpu::stencil
