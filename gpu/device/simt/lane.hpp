// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/lane.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace warplens::gpu::simt {

/// What the device has one of each, as a GPU with a copy engine a direction: one thing at a time.
struct Turns {
    std::mutex upload, kernels, download;
};

/// A thread that does what the lane is given, one thing after the other; moments are read from the steady clock.
class SimtLane final : public Lane {
public:
    /// `turns` and `stop` are the device's; `stop` is looked at by the caller's thread alone.
    SimtLane(Turns& turns, const std::stop_token& stop);
    ~SimtLane() override;

    void upload(const Buffer& to, std::size_t at, const void* from, std::size_t bytes) override;
    void download(void* to, std::function<const Buffer&()> from, std::size_t at, std::size_t bytes) override;
    void copy(const Buffer& to, std::size_t toAt, const Buffer& from, std::size_t fromAt, std::size_t bytes) override;
    void run(std::function<void()> work) override;
    std::shared_ptr<Moment> mark() override;
    void after(const std::shared_ptr<Moment>& moment) override;
    std::unique_ptr<LaunchGraph> record(const std::vector<Lane*>& beside, const std::function<void()>& work) override;

private:
    using Act = std::function<void()>;
    class Graph;
    class RecordedMoment;
    /// Done unless something before it in the lane went wrong.
    void put(Act act);
    void push(Act act);
    void serve();

    Turns& m_turns;
    const std::stop_token& m_stop;
    std::vector<Act>* m_recorded = nullptr;  ///< while a graph is recorded: what gives all lanes their acts again
    std::exception_ptr m_failure;            ///< known to the lane's thread alone
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Act> m_acts;
    bool m_ending = false;
    std::jthread m_thread;
};

}  // namespace warplens::gpu::simt
