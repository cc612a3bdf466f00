// SPDX-License-Identifier: Apache-2.0
#include "app/worker/kernel_session.hpp"

#include "gpu/core/error.hpp"

#include <cstring>
#include <string>

namespace warplens::worker {

using gpu::user::Slot;

KernelSession::KernelSession(const Job& job, const Planes& planes, gpu::Device& device)
    : m_job(job), m_planes(planes), m_device(device) {
    m_input = device.allocate(static_cast<std::size_t>(job.inputBytes));
    device.upload(m_input, planes.input, m_input.bytes());
    for (std::size_t i = 0; i < (has(Kind::before) ? 2 : 1); ++i)
        m_outputs[i] = device.allocate(static_cast<std::size_t>(job.outputBytes));
    for (const Slot& slot : job.binding.slots) {
        const std::size_t bytes = slot.words.size() * sizeof(std::uint32_t);
        m_words.push_back(bytes == 0 ? gpu::Buffer() : device.allocate(bytes));
        if (bytes > 0) device.upload(m_words.back(), slot.words.data(), bytes);
    }
    if (job.repeats) prepareToRepeat();
    device.synchronize();
}

std::vector<Range> KernelSession::ranges() const {
    std::vector<Range> all;
    for (std::size_t i = 0; i < m_job.binding.slots.size(); ++i) {
        const Kind kind = m_job.binding.slots[i].kind;
        const gpu::Buffer* buffer = bufferOf(i);
        if (buffer == nullptr || !*buffer) continue;
        const auto begin = reinterpret_cast<std::uint64_t>(addressAt(*buffer));
        const bool shared = kind == Kind::changed || kind == Kind::next;
        all.push_back({m_job.names.at(i), begin, begin + buffer->bytes(), shared || kind == Kind::output, shared});
    }
    return all;
}

void KernelSession::launch() {
    if (m_job.repeats) return launchUntilQuiet();
    if (m_job.zeroed) m_device.fill(m_outputs[0], 0);
    launchPlanes();
}

void KernelSession::poisonOutput() {
    for (const gpu::Buffer& output : m_outputs)
        if (output) m_device.fill(output, 0xff);
}

gpu::Result KernelSession::download(double&, double& downloadMs) {
    const gpu::Buffer& output = m_outputs[m_written];
    downloadMs += m_device.time([&] { m_device.download(m_planes.output, output, output.bytes()); });
    return {};
}

bool KernelSession::inputChanged() {
    std::vector<std::byte> now(m_input.bytes());
    m_device.download(now.data(), m_input, now.size());
    return std::memcmp(now.data(), m_planes.input, now.size()) != 0;
}

void KernelSession::prepareToRepeat() {
    m_start.assign(m_planes.output, m_planes.output + m_job.outputBytes);
    if (m_job.binding.repeated) m_changed = m_device.allocate(sizeof(std::int32_t));
    if (!m_job.binding.listed && !has(Kind::next)) return;
    for (gpu::Buffer& list : m_lists) list = m_device.allocate(listPlaces() * sizeof(std::int32_t));
}

/// A list has as many places as the output has values.
std::size_t KernelSession::listPlaces() const {
    return static_cast<std::size_t>(m_job.outputBytes / m_job.outputValueBytes);
}

/// What a pointer of the next launch leads to; null for numbers.
const gpu::Buffer* KernelSession::bufferOf(std::size_t slot) const {
    switch (m_job.binding.slots[slot].kind) {
        case Kind::input: return &m_input;
        case Kind::output: return &m_outputs[m_written];
        case Kind::before: return &m_outputs[1 - m_written];
        case Kind::words: return &m_words[slot];
        case Kind::changed: return &m_changed;
        case Kind::frontier: return &m_lists[m_step % 2];
        case Kind::next: return &m_lists[(m_step + 1) % 2];
        case Kind::value:
        case Kind::step:
        case Kind::frontierSize: break;
    }
    return nullptr;
}

std::uint64_t KernelSession::valueOf(std::size_t slot, int plane) const {
    const Kind kind = m_job.binding.slots[slot].kind;
    if (kind == Kind::step) return m_step;
    if (kind == Kind::frontierSize) return m_listed;
    const gpu::Buffer* buffer = bufferOf(slot);
    if (buffer == nullptr) return m_job.binding.slots[slot].bits;
    if (!*buffer) return 0;
    const bool planes = kind == Kind::input || kind == Kind::output || kind == Kind::before;
    const std::size_t bytes = planes ? buffer->bytes() / static_cast<std::size_t>(m_job.planes) : 0;
    return reinterpret_cast<std::uint64_t>(addressAt(*buffer)) + static_cast<std::size_t>(plane) * bytes;
}

void KernelSession::launchPlanes() {
    Grid grid = m_job.binding.grid;
    if (m_job.binding.listed) grid = {(m_listed + m_job.binding.block[0] - 1) / m_job.binding.block[0], 1, 1};
    for (int plane = 0; plane < m_job.binding.launches; ++plane) {
        std::vector<std::uint64_t> values;
        for (std::size_t i = 0; i < m_job.binding.slots.size(); ++i) values.push_back(valueOf(i, plane));
        std::vector<void*> addresses;
        for (std::uint64_t& value : values) addresses.push_back(&value);
        m_launch(grid, addresses.data());
    }
}

void KernelSession::launchUntilQuiet() {
    m_step = 1;
    m_written = 0;
    m_listed = static_cast<unsigned>(m_job.frontier.size());
    m_device.upload(m_outputs[m_outputs[1] ? 1 : 0], m_start.data(), m_start.size());
    if (m_listed > 0) m_device.upload(m_lists[1], m_job.frontier.data(), m_listed * sizeof(std::int32_t));
    for (int quiet = 0; !m_job.binding.listed || m_listed > 0; ++m_step) {
        if (m_before) m_before();
        if (m_changed) m_device.fill(m_changed, 0);
        launchPlanes();
        if (!m_changed) return;
        std::int32_t changed = 0;
        m_device.download(&changed, m_changed, sizeof changed);
        quiet = changed == 0 ? quiet + 1 : 0;
        if (quiet == m_job.quiet) return;
        goOn(changed);
    }
    // The frontier was empty from the start: nothing was launched.
    if (m_outputs[1]) m_written = 1;
}

/// What a launch made becomes what the next begins with.
void KernelSession::goOn(std::int32_t changed) {
    const auto refuse = [](const std::string& why) { throw gpu::Error(gpu::Error::Kind::fault, why); };
    if (m_step >= m_job.most)
        refuse("sets changed in each of " + std::to_string(m_step) +
               " launches, more than there are pixels: set it only where a value becomes another");
    if (has(Kind::next) && static_cast<std::size_t>(changed) > listPlaces())
        refuse("counts " + std::to_string(changed) + " pixels in changed, and next has " +
               std::to_string(listPlaces()) + " places: some are there more than once");
    m_listed = static_cast<unsigned>(changed);
    if (!m_outputs[1]) return;
    const bool idle =
        m_lookIdle && std::memcmp(addressAt(m_outputs[0]), addressAt(m_outputs[1]), m_outputs[0].bytes()) == 0;
    if (changed != 0 && idle)
        refuse("sets changed in launch " + std::to_string(m_step) +
               ", which changed no value: set it only where a value becomes another");
    m_written = 1 - m_written;
}

}  // namespace warplens::worker
