// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/specialiser.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace warplens::gpu::cuda {

using Steady = std::chrono::steady_clock;

struct Specialiser::Job {
    CompileRequest request;
    std::string key;
    Steady::time_point asked = Steady::now();
    int waiters = 0;
    std::shared_ptr<const Compilation> done{};
};

Specialiser::Specialiser(KernelCache cache, Compile compile)
    : m_cache(std::move(cache)), m_compile(std::move(compile)) {}

Specialiser::~Specialiser() {
    {
        const std::lock_guard lock(m_mutex);
        m_thread.request_stop();
        m_interrupt.request_stop();
    }
    m_changed.notify_all();
}

std::shared_ptr<Specialiser> Specialiser::ofProgram() {
    static std::mutex asking;
    static std::weak_ptr<Specialiser> known;
    const std::lock_guard lock(asking);
    std::shared_ptr<Specialiser> specialiser = known.lock();
    if (!specialiser) known = specialiser = std::make_shared<Specialiser>(KernelCache(kernelCacheFolder()));
    return specialiser;
}

void Specialiser::interruptIfIdle() {
    if (m_running && m_running->waiters == 0) m_interrupt.request_stop();
}

std::shared_ptr<const Compilation> Specialiser::ask(const CompileRequest& request, double seconds,
                                                    std::stop_token stop) {
    constexpr std::size_t kMostWaiting = 8;
    std::unique_lock lock(m_mutex);
    std::string key = request.key();
    std::shared_ptr<Job>& known = m_jobs[key];
    if (!known) {
        known = std::make_shared<Job>(Job{.request = request, .key = std::move(key)});
        m_waiting.push_back(known);
        interruptIfIdle();
        if (m_waiting.size() > kMostWaiting && m_waiting.front()->waiters == 0) {
            m_jobs.erase(m_waiting.front()->key);
            m_waiting.pop_front();
        }
        if (!m_thread.joinable()) m_thread = std::jthread([this](const std::stop_token& end) { work(end); });
        m_changed.notify_all();
    } else if (const auto at = std::ranges::find(m_waiting, known); at != m_waiting.end()) {
        std::rotate(at, at + 1, m_waiting.end());  // it comes next
    }
    const std::shared_ptr<Job> job = known;
    ++job->waiters;
    m_changed.wait_for(lock, stop, std::chrono::duration<double>(seconds), [&] { return job->done != nullptr; });
    --job->waiters;
    return job->done;
}

void Specialiser::work(const std::stop_token& end) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, end, [&] { return !m_waiting.empty(); }) && !end.stop_requested()) {
        m_running = m_waiting.back();
        m_waiting.pop_back();
        m_interrupt = {};
        const std::shared_ptr<Job> job = m_running;
        lock.unlock();
        carryOut(*job);
        lock.lock();
        m_running.reset();
        // Interrupted: it comes after what interrupted it.
        if (!job->done) m_waiting.insert(m_waiting.empty() ? m_waiting.end() : m_waiting.end() - 1, job);
        m_changed.notify_all();
    }
}

/// Leaves the job undone when it is interrupted.
void Specialiser::carryOut(Job& job) {
    auto made = std::make_shared<Compilation>();
    try {
        made->kernel = m_cache.find(job.key);
        made->cached = made->kernel.has_value();
        if (!made->kernel) {
            std::stop_token interrupted;
            {
                const std::lock_guard lock(m_mutex);
                interrupted = m_interrupt.get_token();
            }
            made->kernel = m_compile(job.request, interrupted);
        }
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::cancelled) return;
        made->failure = error.what();
    } catch (const std::exception& error) {  // memory, above all; in this thread nobody else would catch it
        made->failure = error.what();
    }
    made->readyMs = std::chrono::duration<double, std::milli>(Steady::now() - job.asked).count();
    {
        const std::lock_guard lock(m_mutex);
        job.done = made;
    }
    m_changed.notify_all();
    if (!made->kernel) return;
    if (!made->cached) m_cache.keep(job.key, *made->kernel);
    const std::lock_guard lock(m_mutex);
    m_held.push_back(job.key);
    if (m_held.size() <= kMostHeld) return;
    m_jobs.erase(m_held.front());
    m_held.pop_front();
}

}  // namespace warplens::gpu::cuda
