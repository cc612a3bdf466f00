// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "io/child_process.hpp"
#include "io/file.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

namespace warplens::worker {

/// The warplens-worker to run: WARPLENS_WORKER when set, else beside the running program, in ../libexec/warplens, on
/// PATH. Empty when there is none.
std::filesystem::path findWorker();

/// A warplens-worker that answers one job, and the memory that it maps as well. Ended with the object.
class WorkerProcess {
public:
    /// Starts one; with a GPU's id it makes the context while it waits for a job. Throws gpu::Error(unsupported).
    explicit WorkerProcess(const std::string& gpu = {});
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    /// The memory, of this size, zeros at first. Once. Throws gpu::Error(outOfMemory).
    std::byte* share(std::int64_t bytes);
    const std::byte* shared() const { return static_cast<const std::byte*>(m_memory); }
    /// False where it has ended, as a spare one may have.
    bool ask(const Job& job, const std::stop_token& stop);
    /// Lets a job that is held run.
    void release();
    /// Throws gpu::Error(cancelled) and Error(internal).
    Json answer();

private:
    void expect(io::ChildProcess::Transfer state) const;

    io::UniqueFd m_file;
    std::unique_ptr<io::ChildProcess> m_process;
    std::size_t m_bytes = 0;
    void* m_memory = nullptr;
};

/// The spare one, or a new one, for a GPU of this id.
std::unique_ptr<WorkerProcess> takeWorker(const std::string& gpu);
/// Starts the next spare one of this GPU at its end, where they are kept.
class SpareAfter {
public:
    explicit SpareAfter(std::string gpu) : m_gpu(std::move(gpu)) {}
    ~SpareAfter();
    SpareAfter(const SpareAfter&) = delete;
    SpareAfter& operator=(const SpareAfter&) = delete;

private:
    std::string m_gpu;
};

}  // namespace warplens::worker
