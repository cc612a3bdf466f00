// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/simt/lane.hpp"

#include "gpu/core/error.hpp"

#include <chrono>
#include <cstring>
#include <future>
#include <utility>

namespace warplens::gpu::simt {
namespace {

using SteadyClock = std::chrono::steady_clock;

class SteadyMoment final : public Moment {
public:
    explicit SteadyMoment(std::shared_future<SteadyClock::time_point> came) : m_came(std::move(came)) {}
    void wait() override { m_came.get(); }
    double msSince(const Moment& earlier) const override {
        const auto& since = dynamic_cast<const SteadyMoment&>(earlier);
        return std::chrono::duration<double, std::milli>(m_came.get() - since.m_came.get()).count();
    }

private:
    std::shared_future<SteadyClock::time_point> m_came;
};

}  // namespace

class SimtLane::Graph final : public LaunchGraph {
public:
    Graph(SimtLane& lane, std::vector<SimtLane*> beside, std::vector<Act> acts)
        : m_lane(lane), m_beside(std::move(beside)), m_acts(std::move(acts)) {}
    void launch() override {
        const auto begin = m_lane.mark();
        for (SimtLane* lane : m_beside) lane->after(begin);
        for (const Act& act : m_acts) act();
        for (SimtLane* lane : m_beside) m_lane.after(lane->mark());
    }

private:
    SimtLane& m_lane;
    std::vector<SimtLane*> m_beside;
    std::vector<Act> m_acts;
};

/// Comes anew with each launch of its graph.
class SimtLane::RecordedMoment final : public Moment {
public:
    void wait() override { throw Error(Error::Kind::internal, "cpu: a moment of a graph is waited for outside"); }
    double msSince(const Moment&) const override {
        throw Error(Error::Kind::internal, "cpu: a moment of a graph has no time of its own");
    }
    std::shared_ptr<Moment> now;
};

SimtLane::SimtLane(Turns& turns, const std::stop_token& stop)
    : m_turns(turns), m_stop(stop), m_thread([this] { serve(); }) {}

SimtLane::~SimtLane() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_one();
}

void SimtLane::upload(const Buffer& to, std::size_t at, const void* from, std::size_t bytes) {
    put([this, target = reinterpret_cast<std::byte*>(to.handle()) + at, from, bytes] {
        const std::lock_guard turn(m_turns.upload);
        std::memcpy(target, from, bytes);
    });
}

void SimtLane::download(void* to, std::function<const Buffer&()> from, std::size_t at, std::size_t bytes) {
    put([this, from = std::move(from), at, to, bytes] {
        const std::lock_guard turn(m_turns.download);
        std::memcpy(to, reinterpret_cast<const std::byte*>(from().handle()) + at, bytes);
    });
}

void SimtLane::copy(const Buffer& to, std::size_t toAt, const Buffer& from, std::size_t fromAt, std::size_t bytes) {
    put([this, target = reinterpret_cast<std::byte*>(to.handle()) + toAt,
         source = reinterpret_cast<const std::byte*>(from.handle()) + fromAt, bytes] {
        const std::lock_guard turn(m_turns.download);
        std::memcpy(target, source, bytes);
    });
}

void SimtLane::run(std::function<void()> work) {
    put([this, work = std::move(work)] {
        const std::lock_guard turn(m_turns.kernels);
        work();
    });
}

std::shared_ptr<Moment> SimtLane::mark() {
    if (m_recorded != nullptr) {
        auto moment = std::make_shared<RecordedMoment>();
        m_recorded->push_back([this, moment] { moment->now = mark(); });
        return moment;
    }
    auto came = std::make_shared<std::promise<SteadyClock::time_point>>();
    auto moment = std::make_shared<SteadyMoment>(came->get_future().share());
    push([this, came] {
        if (m_failure)
            came->set_exception(m_failure);
        else
            came->set_value(SteadyClock::now());
    });
    return moment;
}

void SimtLane::after(const std::shared_ptr<Moment>& moment) {
    if (m_recorded != nullptr) {
        const auto recorded = std::dynamic_pointer_cast<RecordedMoment>(moment);
        if (recorded == nullptr) throw Error(Error::Kind::internal, "cpu: a graph waits for a moment outside");
        m_recorded->push_back([this, recorded] { after(recorded->now); });
        return;
    }
    put([moment] { moment->wait(); });
}

std::unique_ptr<LaunchGraph> SimtLane::record(const std::vector<Lane*>& beside, const std::function<void()>& work) {
    std::vector<SimtLane*> lanes;
    for (Lane* lane : beside) lanes.push_back(&dynamic_cast<SimtLane&>(*lane));
    std::vector<Act> acts;
    const auto recordInto = [&](std::vector<Act>* into) {
        m_recorded = into;
        for (SimtLane* lane : lanes) lane->m_recorded = into;
    };
    recordInto(&acts);
    try {
        work();
    } catch (...) {
        recordInto(nullptr);
        throw;
    }
    recordInto(nullptr);
    return std::make_unique<Graph>(*this, std::move(lanes), std::move(acts));
}

void SimtLane::put(Act act) {
    if (m_recorded != nullptr) return m_recorded->push_back([this, act = std::move(act)] { put(act); });
    if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "cpu: stopped");
    push([this, act = std::move(act)] {
        if (m_failure) return;
        try {
            act();
        } catch (...) {
            m_failure = std::current_exception();
        }
    });
}

void SimtLane::push(Act act) {
    {
        const std::lock_guard lock(m_mutex);
        m_acts.push_back(std::move(act));
    }
    m_changed.notify_one();
}

void SimtLane::serve() {
    while (true) {
        Act act;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_ending || !m_acts.empty(); });
            if (m_acts.empty()) return;
            act = std::move(m_acts.front());
            m_acts.pop_front();
        }
        act();
    }
}

}  // namespace warplens::gpu::simt
