// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/flood/problem.hpp"
#include "gpu/families/flood/reference.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace warplens::gpu::flood {
namespace {

/// Tiles that a launch floods, so that it can be stopped: 100 ms of a GPU where each waits for the one before, and of
/// one that is emulated.
constexpr std::uint32_t kShare = 1U << 15U, kShareEmulated = 128;

/// A short flood should not pay for launches of a long one: few at first, then half of what it took so far.
unsigned nextBatch(unsigned done) { return std::clamp(done / 2, 8U, kMostBatch); }

template <class T>
std::size_t listBytes(const std::vector<T>& values) {
    return std::max<std::size_t>(values.size() * sizeof(T), 16);
}

/// What is a row's own.
std::size_t queueBytes(const KernelEntry& entry, const Flood& flood) {
    return entry.queues ? std::size_t{flood.pixels()} * sizeof(std::uint32_t) : 0;
}
std::size_t scratchBytes(const KernelEntry& entry, const Flood& flood, const TunableValues& tunables) {
    return entry.scratchBytes != nullptr ? entry.scratchBytes(flood, tunables) : 0;
}

const char* nameOf(const Flood& flood) { return flood.depth > 1 ? "the volume" : "the picture"; }

/// The most that a row's own may be.
std::size_t largestOwn(const FloodProblem& problem, const DeviceInfo& device) {
    std::size_t most = 0;
    for (const Variant& variant : ladder().variants()) {
        const KernelEntry* entry = ladder().entryOf(variant, device);
        const TunableValues tunables = resolve(variant, {});
        if (entry == nullptr || !problem.refusal(variant, tunables, device).empty()) continue;
        const Flood& flood = problem.posed();
        most = std::max(most, queueBytes(*entry, flood) + scratchBytes(*entry, flood, tunables));
    }
    return most;
}

class FloodSession final : public Session {
public:
    FloodSession(const FloodProblem& problem, Device& device, Resident& resident)
        : m_problem(problem),
          m_device(device),
          m_steps(*stepsOf(device.info())),
          m_flood(problem.posed()),
          m_slots(kMostBatch + 1) {
        keepResident(device, problem.input(), resident);
        m_flood.input = resident.planes.handle();
        const auto pixels = static_cast<std::size_t>(m_flood.pixels());
        m_output = device.allocate(pixels * sizeof(std::int32_t));
        if (m_flood.colours) m_keys = device.allocate(pixels * sizeof(std::uint64_t));
        m_control = device.allocate(m_slots.size() * sizeof(Slot));
        const Seeds& seeds = problem.seeds();
        m_bounds = uploaded(seeds.bounds);
        m_seedPixels = uploaded(seeds.pixels);
        m_seedIndices = uploaded(seeds.indices);
        m_flood.output = m_output.handle();
        m_flood.share = device.info().ranks() ? kShare : kShareEmulated;
        m_flood.keys = keys().handle();
        m_flood.control = m_control.handle();
        m_flood.bounds = m_bounds.handle();
        m_flood.seedPixels = m_seedPixels.handle();
        m_flood.seedIndices = m_seedIndices.handle();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_scratch = {};
        m_queue = {};
        const std::size_t queue = queueBytes(*m_entry, m_flood), scratch = scratchBytes(*m_entry, m_flood, tunables);
        withMemory(m_device, nameOf(m_flood), static_cast<std::int64_t>(queue + scratch), [&] {
            if (queue > 0) m_queue = m_device.allocate(queue);
            if (scratch > 0) m_scratch = m_device.allocate(scratch);
        });
        m_flood.queue = m_queue ? m_queue.handle() : 0;
        m_flood.scratch = m_scratch ? m_scratch.handle() : 0;
    }

    void launch() override {
        m_device.fill(keys(), 0xff);
        m_steps.start(m_device.context(), m_flood);
        if (m_entry->relax != nullptr)
            relax();
        else
            goThroughLevels();
        if (m_flood.colours) m_steps.finish(m_device.context(), m_flood);
    }

    void poisonOutput() override { m_device.fill(m_output, 0x55); }

    Result download(double& layoutMs, double& downloadMs) override {
        auto steps = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *steps, layoutMs, downloadMs);
        return resultOf(std::move(steps));
    }

    std::optional<DevicePicture> picture() const override {
        return DevicePicture{&m_output, m_problem.outputShape(), m_problem.outputType()};
    }

private:
    const Buffer& keys() const { return m_flood.colours ? m_keys : m_output; }

    template <class T>
    Buffer uploaded(const std::vector<T>& values) {
        Buffer buffer = m_device.allocate(listBytes(values));
        if (!values.empty()) m_device.upload(buffer, values.data(), values.size() * sizeof(T));
        return buffer;
    }

    /// Launches and says what they left in the slots, of which the first is given.
    template <class Launch>
    void withSlots(Slot first, Launch launches) {
        std::ranges::fill(m_slots, Slot{});
        m_slots.front() = first;
        m_device.upload(m_control, m_slots.data(), m_control.bytes());
        launches();
        m_device.download(m_slots.data(), m_control, m_control.bytes());
    }

    // Where launches are left out, as in a trace that wants the first alone, slots stay empty: that ends it.
    void goThroughLevels() {
        Slot at{0, m_flood.seeds};
        std::uint32_t level = 0;
        while (at.count > 0) {
            if (m_entry->narrow != nullptr && at.count <= kNarrow) {
                withSlots(at, [&] { m_entry->narrow(m_device.context(), m_flood, level, m_tunables); });
                const std::uint32_t taken = m_slots[1].begin;
                if (taken == 0) return;
                level += taken;
                at = m_slots.front();
                continue;
            }
            const Batch batch{level, nextBatch(level)};
            withSlots(at, [&] { m_entry->levels(m_device.context(), m_flood, batch, m_tunables); });
            level += batch.launches;
            at = m_slots[batch.launches];
        }
    }

    void relax() {
        if (m_flood.seeds == 0) return;
        m_entry->begin(m_device.context(), m_flood, m_tunables);
        const auto next = [this](unsigned done) { return m_entry->alone ? 1 : nextBatch(done); };
        for (Batch batch{0, next(0)}; batch.launches > 0;) {
            withSlots({0, 1}, [&] { m_entry->relax(m_device.context(), m_flood, batch, m_tunables); });
            const bool more = m_slots[batch.launches].count > 0;
            batch.level += batch.launches;
            batch.launches = more ? next(batch.level) : 0;
        }
    }

    const FloodProblem& m_problem;
    Device& m_device;
    const StepsEntry& m_steps;
    Flood m_flood;
    std::vector<Slot> m_slots;
    Buffer m_output, m_keys, m_queue, m_control, m_bounds, m_seedPixels, m_seedIndices, m_scratch;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
};

}  // namespace

std::unique_ptr<Session> FloodProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const io::Grid& input = *m_input;
    const Seeds& seeds = m_seeds;
    const auto pixels = static_cast<std::size_t>(input.shape().pixels());
    const std::size_t sorted = input.shape().channels > 1 ? input.bytes() : 0;
    const std::size_t kept = pixels * sizeof(std::int32_t) + (seeds.colours ? pixels * sizeof(std::uint64_t) : 0) +
                             (kMostBatch + 1) * sizeof(Slot) + listBytes(seeds.bounds) + listBytes(seeds.pixels) +
                             listBytes(seeds.indices);
    const auto bytesWith = [&](std::size_t own) {
        return static_cast<std::int64_t>(input.bytes() + std::max(sorted, kept + own));
    };
    const std::int64_t budget = memoryBudget(device, resident);
    // The figure is one with which every row runs.
    if (bytesWith(0) > budget)
        refuseMemory(device.info().id, nameOf(posed()), bytesWith(largestOwn(*this, device.info())), budget);
    return std::make_unique<FloodSession>(*this, device, resident);
}

}  // namespace warplens::gpu::flood
