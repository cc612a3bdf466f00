// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/kernel_cache.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace warplens::gpu::cuda {

/// What became of a request.
struct Compilation {
    std::optional<CompiledKernel> kernel{};
    std::string failure{};  ///< why there is none
    bool cached = false;
    double readyMs = 0;  ///< from asking to the end
};

/// Compiles in a thread of its own, one kernel after the other, what the cache has not. The latest request comes first
/// and interrupts an earlier one that nobody waits for; of those that wait, and of the kernels that are there, the
/// earliest are forgotten beyond a few.
class Specialiser {
public:
    using Compile = std::function<CompiledKernel(const CompileRequest&, std::stop_token)>;

    explicit Specialiser(KernelCache cache, Compile compile = &cuda::compile);
    /// Interrupts what is being compiled.
    ~Specialiser();
    Specialiser(const Specialiser&) = delete;
    Specialiser& operator=(const Specialiser&) = delete;

    /// Kernels that are held until somebody asks for them again; the others are in the cache.
    static constexpr std::size_t kMostHeld = 16;

    /// Asks for a kernel, unless that was done before, and waits at most so many seconds for it. Null: not yet, or
    /// stopped. Thread-safe.
    std::shared_ptr<const Compilation> ask(const CompileRequest& request, double seconds, std::stop_token stop = {});

    /// The program's, with its user's cache. It lives while somebody holds it, which must not be until the program's
    /// exit: there the compiler's own static objects go before ours do, and what it compiles crashes or never ends.
    static std::shared_ptr<Specialiser> ofProgram();

private:
    struct Job;
    void work(const std::stop_token& end);
    void carryOut(Job& job);
    void interruptIfIdle();

    KernelCache m_cache;
    Compile m_compile;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<std::string, std::shared_ptr<Job>> m_jobs;  ///< by key
    std::deque<std::shared_ptr<Job>> m_waiting;          ///< the next one last
    std::deque<std::string> m_held;                      ///< keys of those with a kernel, the latest last
    std::shared_ptr<Job> m_running;
    std::stop_source m_interrupt;
    std::jthread m_thread;  ///< started by the first request
};

}  // namespace warplens::gpu::cuda
