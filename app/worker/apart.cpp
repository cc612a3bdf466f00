// SPDX-License-Identifier: Apache-2.0
#include "app/worker/apart.hpp"

#include "app/worker/run.hpp"
#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"
#include "io/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::worker {
namespace {

using gpu::Error;

struct Pipe {
    io::UniqueFd read, write;
};
Pipe makePipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(Error::Kind::internal, "warplens-worker: no pipe");
    return {io::UniqueFd(ends[0]), io::UniqueFd(ends[1])};
}

/// The child's part: the context, the order, the kernel.
[[noreturn]] void serveApart(const std::string& id, int orders, int answers) {
    std::unique_ptr<gpu::Device> device;
    try {
        if (id != "cpu") {
            device = gpu::openDevice(id);
            // Loads what times: a driver that first compiles it for this GPU takes longer than a launch may.
            device->time([] {});
        }
    } catch (const Error&) {
        device.reset();  // it is opened for the kernel, and refused there
    }
    std::string order;
    std::array<char, 65536> buffer;
    for (;;) {
        const auto got = ::read(orders, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        order.append(buffer.data(), static_cast<std::size_t>(got));
    }
    if (order.empty()) ::_exit(0);  // nobody wanted it
    try {
        const Json json = Json::parse(order);
        Job job = jobOf(json.at("job"));
        std::byte* const planes = mapShared(job);
        takeWords(job, planes);
        if (device != nullptr && job.device != id) device.reset();
        runKernel(job, {planes, planes + job.outputAt()}, json.at("scratch").get<std::string>(), answers,
                  std::move(device));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplens-worker: %s\n", error.what());
    }
    ::_exit(4);
}

}  // namespace

std::byte* mapShared(const Job& job) {
    struct stat shared {};
    const int memory = io::ChildProcess::kDoneFile;
    if (::fstat(memory, &shared) != 0 || shared.st_size < job.sharedBytes() || job.inputBytes <= 0 ||
        job.outputBytes <= 0)
        throw Error(Error::Kind::internal, "the planes are not there");
    void* const planes =
        ::mmap(nullptr, static_cast<std::size_t>(job.sharedBytes()), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (planes == MAP_FAILED) throw Error(Error::Kind::outOfMemory, "the planes cannot be mapped");
    return static_cast<std::byte*>(planes);
}

Apart::Apart(const std::string& device) {
    Pipe orders = makePipe(), answers = makePipe();
    m_child = ::fork();
    if (m_child < 0) throw Error(Error::Kind::internal, "warplens-worker: no process could be started");
    if (m_child == 0) {
        orders.write.reset();
        answers.read.reset();
        // What it prints is not an answer.
        const io::UniqueFd nothing(::open("/dev/null", O_RDWR));
        ::dup2(nothing.get(), 0);
        ::dup2(2, 1);
        serveApart(device, orders.read.get(), answers.write.get());
    }
    m_orders = std::move(orders.write);
    m_answers = std::move(answers.read);
}

Apart::~Apart() {
    m_orders.reset();
    if (m_child < 0) return;
    ::kill(m_child, SIGKILL);
    while (::waitpid(m_child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Apart::Run Apart::run(const Job& job, const std::filesystem::path& scratch) {
    const std::string order =
        Json{{"job", toJson(job)}, {"scratch", scratch.string()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::signal(SIGPIPE, SIG_IGN);
    for (std::size_t at = 0; at < order.size();) {
        const auto sent = ::write(m_orders.get(), order.data() + at, order.size() - at);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) break;  // it has ended, and its status says how
        at += static_cast<std::size_t>(sent);
    }
    m_orders.reset();

    const bool onCpu = job.device == "cpu";
    const auto in = [](std::chrono::seconds patience) { return std::chrono::steady_clock::now() + patience; };
    auto until = in(onCpu ? kCpuPatience : kStartPatience);
    Run run;
    std::array<char, 65536> buffer;
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd watched{m_answers.get(), POLLIN, 0};
        const int ready = left.count() > 0 ? ::poll(&watched, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            run.late = true;
            ::kill(m_child, SIGKILL);
            break;
        }
        const auto got = ::read(m_answers.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        const std::string_view said(buffer.data(), static_cast<std::size_t>(got));
        run.answer.append(said);
        if (run.answer.size() > kLongest) ::kill(m_child, SIGKILL);
        if (!onCpu && said.ends_with(kLaunched)) {
            until = in(kLaunchPatience);
            run.launched = true;
        } else if (!onCpu && said.ends_with(kPreparing)) {
            until = in(kPreparePatience);
            run.launched = false;
        }
    }
    while (::waitpid(m_child, &run.status, 0) < 0 && errno == EINTR) {
    }
    m_child = -1;
    return run;
}

}  // namespace warplens::worker
