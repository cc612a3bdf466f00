// SPDX-License-Identifier: Apache-2.0
#include "app/worker/worker_process.hpp"

#include "app/worker/client.hpp"
#include "gpu/core/error.hpp"
#include "io/program_path.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace warplens::worker {
namespace {

using gpu::Error;
using io::ChildProcess;
using Transfer = ChildProcess::Transfer;

/// The worker ends what takes too long itself, and says so; this is for a worker that does not.
constexpr std::chrono::seconds kPatience{900};

/// Of a device: one that is ready beside the one that is still being made, so that who follows a fault need not wait.
constexpr std::size_t kSpares = 2;

struct Spares {
    std::mutex mutex;
    bool kept = false;
    std::map<std::string, std::deque<std::unique_ptr<WorkerProcess>>> of;  ///< by device, the oldest first
};
Spares& spares() {
    static Spares all;
    return all;
}

}  // namespace

std::filesystem::path findWorker() { return io::findProgram("warplens-worker", "WARPLENS_WORKER"); }

WorkerProcess::WorkerProcess(const std::string& device) : m_file(::memfd_create("warplens-planes", MFD_CLOEXEC)) {
    const auto program = findWorker();
    if (program.empty())
        throw Error(Error::Kind::unsupported,
                    "warplens-worker, which runs kernels of yours, was not found: reinstall Warplens, or set "
                    "WARPLENS_WORKER to its path");
    std::vector<std::string> arguments{"serve"};
    if (!device.empty()) arguments.push_back(device);
    try {
        m_process = std::make_unique<ChildProcess>(program.string(), arguments, ChildProcess::Clock::now() + kPatience,
                                                   std::stop_token(), false, m_file.get());
    } catch (const std::system_error& error) {
        throw Error(Error::Kind::unsupported, program.string() + " did not start (" + error.code().message() +
                                                  "): " + io::startingRemedy(error.code(), "WARPLENS_WORKER"));
    }
}

WorkerProcess::~WorkerProcess() {
    if (m_memory != nullptr) ::munmap(m_memory, m_bytes);
}

std::byte* WorkerProcess::share(std::int64_t bytes) {
    m_bytes = static_cast<std::size_t>(bytes);
    void* memory = MAP_FAILED;
    if (m_file && ::ftruncate(m_file.get(), bytes) == 0)
        memory = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), 0);
    if (memory == MAP_FAILED)
        throw Error(Error::Kind::outOfMemory, "no memory for " + std::to_string(bytes) +
                                                  " bytes to share with warplens-worker: take a smaller picture");
    m_memory = memory;
    return static_cast<std::byte*>(memory);
}

bool WorkerProcess::ask(const Job& job, const std::stop_token& stop) {
    m_process->setDeadline(ChildProcess::Clock::now() + kPatience);
    m_process->setStop(stop);
    const std::string request = packed(toJson(job));
    const Transfer state = m_process->send(std::as_bytes(std::span<const char>(request)));
    if (state == Transfer::closed) return false;
    expect(state);
    return true;
}

void WorkerProcess::release() {
    // One that has answered already, that the kernel does not compile, hears it no more.
    const std::byte go{1};
    m_process->send({&go, 1});
}

Json WorkerProcess::answer() {
    std::array<std::byte, kLengthBytes> length{};
    expect(m_process->receive(length));
    std::string text(lengthOf(length), '\0');
    expect(m_process->receive(std::as_writable_bytes(std::span(text))));
    return Json::parse(text);
}

void WorkerProcess::expect(Transfer state) const {
    if (state == Transfer::complete) return;
    if (state == Transfer::stopped) throw Error(Error::Kind::cancelled, "stopped");
    const std::string complaint = m_process->complaint();
    throw Error(Error::Kind::internal,
                "warplens-worker " + std::string(state == Transfer::timedOut ? "did not answer" : "ended early") +
                    (complaint.empty() ? "" : " (" + complaint + ")") + ": try again, or report this");
}

void keepSpares() {
    const std::lock_guard lock(spares().mutex);
    spares().kept = true;
}

std::unique_ptr<WorkerProcess> takeWorker(const std::string& device) {
    {
        const std::lock_guard lock(spares().mutex);
        if (auto& kept = spares().of[device]; !kept.empty()) {
            auto oldest = std::move(kept.front());
            kept.pop_front();
            return oldest;
        }
    }
    return std::make_unique<WorkerProcess>(device);
}

SpareAfter::~SpareAfter() {
    const std::lock_guard lock(spares().mutex);
    if (!spares().kept) return;
    try {
        for (auto& kept = spares().of[m_device]; kept.size() < kSpares;)
            kept.push_back(std::make_unique<WorkerProcess>(m_device));
    } catch (const Error&) {
        // The next job starts its own, and says why it cannot.
    }
}

}  // namespace warplens::worker
