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
    /// Starts one. With a device's id it prepares to run kernels there while it waits for a job, a GPU's context above
    /// all. Throws gpu::Error(unsupported).
    explicit WorkerProcess(const std::string& device);
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

/// The oldest spare one of this device, or a new one.
std::unique_ptr<WorkerProcess> takeWorker(const std::string& device);
/// Starts at its end the spare ones of this device that are missing, where they are kept (client.hpp).
class SpareAfter {
public:
    explicit SpareAfter(std::string device) : m_device(std::move(device)) {}
    ~SpareAfter();
    SpareAfter(const SpareAfter&) = delete;
    SpareAfter& operator=(const SpareAfter&) = delete;

private:
    std::string m_device;
};

}  // namespace warplens::worker
