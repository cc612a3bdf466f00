// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/lane.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace warplens::gpu::testing {

/// The CPU device with lanes that do nothing until somebody waits, and then the lanes of the highest rank as far as
/// they may go: an order that shows what was not asked to wait. Any thread may wait.
class LateDevice final : public Device, public StreamDevice {
public:
    /// Ranks of the lanes in the order in which they are opened.
    explicit LateDevice(std::vector<int> ranks) : m_inner(openDevice("cpu")), m_ranks(std::move(ranks)) {}

    std::unique_ptr<Lane> createStream(StreamKind kind) override {
        if (kind != StreamKind::own && kind != StreamKind::urgent)
            throw Error(Error::Kind::unsupported, "it has no null stream");
        const std::size_t opened = m_opened++;
        auto queue = std::make_shared<Queue>();
        m_queues.emplace(m_ranks[opened % m_ranks.size()] * 100 + static_cast<int>(opened), queue);
        return std::make_unique<LateLane>(*this, queue);
    }
    std::shared_ptr<std::byte> pinned(std::size_t bytes) const override { return overlapping().pinned(bytes); }
    /// How much there was to do, each time that somebody waited for something.
    const std::vector<std::size_t>& waits() const { return m_waits; }
    void setPlacement(Placement placement, std::size_t least) override { overlapping().setPlacement(placement, least); }
    std::byte* hostAddress(const Buffer& buffer) const override { return overlapping().hostAddress(buffer); }

    const DeviceInfo& info() const override { return m_inner->info(); }
    std::int64_t freeBytes() const override { return m_inner->freeBytes(); }
    Buffer allocate(std::size_t bytes) override {
        Buffer inner = m_inner->allocate(bytes);
        const auto handle = inner.handle();
        m_buffers.emplace(handle, std::move(inner));
        return {*this, handle, bytes};
    }
    void upload(const Buffer& to, const void* from, std::size_t bytes) override { m_inner->upload(to, from, bytes); }
    void download(void* to, const Buffer& from, std::size_t bytes) override { m_inner->download(to, from, bytes); }
    void fill(const Buffer& buffer, int byte) override { m_inner->fill(buffer, byte); }
    void synchronize() override {}
    LaunchContext& context() override { return m_inner->context(); }
    double time(const std::function<void()>& work) override { return m_inner->time(work); }
    LaunchFacts takeLaunchFacts() override { return m_inner->takeLaunchFacts(); }
    void setStop(std::stop_token stop) override { m_inner->setStop(std::move(stop)); }
    void setScheduling(const Scheduling& scheduling) override { m_inner->setScheduling(scheduling); }
    std::optional<Limits> limits() override { return {}; }
    std::optional<ClockState> clocks() override { return {}; }

private:
    /// Something to do, once it may be.
    struct Act {
        std::function<bool()> may;
        std::function<void()> work;
    };
    using Queue = std::deque<Act>;

    class LateMoment final : public Moment {
    public:
        explicit LateMoment(LateDevice& device) : m_device(device) {}
        void wait() override { m_device.runUntil(*this); }
        double msSince(const Moment& earlier) const override {
            return place - dynamic_cast<const LateMoment&>(earlier).place;
        }
        int place = -1;                   ///< among all that was done; -1: not yet
        std::shared_ptr<LateMoment> now;  ///< of a graph's: the one of its last launch

    private:
        LateDevice& m_device;
    };

    class LateLane;
    /// What gives the lanes their acts again.
    class LateGraph final : public LaunchGraph {
    public:
        explicit LateGraph(LateLane& lane) : m_lane(lane) {}
        void launch() override;
        std::vector<LateLane*> beside;
        std::vector<std::function<void()>> give;

    private:
        LateLane& m_lane;
    };

    class LateLane final : public Lane {
    public:
        LateLane(LateDevice& device, std::shared_ptr<Queue> queue) : m_device(device), m_queue(std::move(queue)) {}
        ~LateLane() override {
            const std::scoped_lock lock(m_device.m_mutex);
            m_queue->clear();
        }
        void upload(const Buffer& to, std::size_t at, const void* from, std::size_t bytes) override {
            put([target = reinterpret_cast<std::byte*>(to.handle()) + at, from, bytes] {
                std::memcpy(target, from, bytes);
            });
        }
        void download(void* to, std::function<const Buffer&()> from, std::size_t at, std::size_t bytes) override {
            put([to, from = std::move(from), at, bytes] {
                std::memcpy(to, reinterpret_cast<const std::byte*>(from().handle()) + at, bytes);
            });
        }
        void copy(const Buffer& to, std::size_t toAt, const Buffer& from, std::size_t fromAt,
                  std::size_t bytes) override {
            put([target = reinterpret_cast<std::byte*>(to.handle()) + toAt,
                 source = reinterpret_cast<const std::byte*>(from.handle()) + fromAt,
                 bytes] { std::memcpy(target, source, bytes); });
        }
        void run(std::function<void()> work) override { put(std::move(work)); }
        std::shared_ptr<Moment> mark() override {
            auto moment = std::make_shared<LateMoment>(m_device);
            if (m_graph != nullptr) {
                m_graph->give.push_back(
                    [this, moment] { moment->now = std::dynamic_pointer_cast<LateMoment>(mark()); });
                return moment;
            }
            put([moment, &device = m_device] { moment->place = device.m_done; });
            return moment;
        }
        void after(const std::shared_ptr<Moment>& moment) override {
            if (m_graph != nullptr) {
                m_graph->give.push_back([this, moment] { after(dynamic_cast<LateMoment&>(*moment).now); });
                return;
            }
            const std::scoped_lock lock(m_device.m_mutex);
            m_queue->push_back({[moment] { return dynamic_cast<LateMoment&>(*moment).place >= 0; }, [] {}});
        }
        std::unique_ptr<LaunchGraph> record(const std::vector<Lane*>& beside,
                                            const std::function<void()>& work) override {
            auto graph = std::make_unique<LateGraph>(*this);
            const auto recordInto = [&](LateGraph* into) {
                m_graph = into;
                for (Lane* lane : beside) dynamic_cast<LateLane&>(*lane).m_graph = into;
            };
            for (Lane* lane : beside) graph->beside.push_back(&dynamic_cast<LateLane&>(*lane));
            recordInto(graph.get());
            work();
            recordInto(nullptr);
            return graph;
        }

    private:
        void put(std::function<void()> work) {
            if (m_graph != nullptr) return m_graph->give.push_back([this, work] { put(work); });
            const std::scoped_lock lock(m_device.m_mutex);
            m_queue->push_back({[] { return true; }, std::move(work)});
        }
        LateDevice& m_device;
        std::shared_ptr<Queue> m_queue;
        LateGraph* m_graph = nullptr;  ///< that is being recorded
    };

    void runUntil(const LateMoment& moment) {
        const std::scoped_lock lock(m_mutex);
        std::size_t queued = 0;
        for (const auto& [rank, queue] : m_queues) queued += queue->size();
        m_waits.push_back(queued);
        while (moment.place < 0) {
            const auto ready = std::ranges::find_if(
                m_queues, [](const auto& one) { return !one.second->empty() && one.second->front().may(); });
            if (ready == m_queues.end()) throw Error(Error::Kind::deadlock, "every lane waits for another");
            const Act act = std::move(ready->second->front());
            ready->second->pop_front();
            ++m_done;
            act.work();
        }
    }
    void release(std::uint64_t handle) noexcept override { m_buffers.erase(handle); }
    StreamDevice& overlapping() const { return overlappingOf(*m_inner); }

    std::unique_ptr<Device> m_inner;
    std::recursive_mutex m_mutex;  ///< of the queues
    std::vector<int> m_ranks;
    std::map<std::uint64_t, Buffer> m_buffers;
    std::map<int, std::shared_ptr<Queue>> m_queues;
    std::size_t m_opened = 0;
    std::vector<std::size_t> m_waits;
    int m_done = 0;
};

inline void LateDevice::LateGraph::launch() {
    const auto begin = m_lane.mark();
    for (LateLane* lane : beside) lane->after(begin);
    for (const auto& one : give) one();
    for (LateLane* lane : beside) m_lane.after(lane->mark());
}

}  // namespace warplens::gpu::testing
