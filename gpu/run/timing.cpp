// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/timing.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/run/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

namespace warplens::gpu {
namespace {

using Steady = std::chrono::steady_clock;

Timing sample(const TimingPolicy& policy, Clock clock, int floor, std::stop_token stop,
              const std::function<double()>& once) {
    std::vector<double> ms;
    const auto start = Steady::now();
    const auto spent = [&] { return std::chrono::duration<double>(Steady::now() - start).count(); };
    do {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        ms.push_back(once());
    } while (!enough(policy, ms, spent(), floor));
    return summarise(std::move(ms), clock);
}

constexpr double kShortMs = 0.05;

double passOf(Session& session, Device& device) {
    return StageLog::during(StageLog::kKernel, [&] { return session.pass(device); });
}

}  // namespace

double makeResult(Device& device, Session& session, const Variant& variant, RunRecord& record, bool loaded) {
    auto kernels = StageLog::turn(StageLog::kKernel);
    session.prepare(variant, record.tunables);
    session.poisonOutput();
    device.synchronize();
    device.takeLaunchFacts();
    // A kernel's first launch on a GPU loads its code, which is no kernel time.
    LaunchFacts first{.kernels = 0};
    if (device.info().ranks() && !loaded) {
        session.launch();
        device.synchronize();
        first = device.takeLaunchFacts();
    }
    const double ms = passOf(session, device);
    const LaunchFacts timed = device.takeLaunchFacts();
    record.launch = timed.kernels > 0 ? timed : first;  // of a launch graph nothing is noted
    if (kernels) kernels.unlock();
    double layoutMs = 0, downloadMs = 0;
    record.result = session.download(layoutMs, downloadMs);
    record.layoutMs = layoutMs;
    record.downloadMs = downloadMs;
    return ms;
}

int repeatsFor(double ms) {
    return ms < kShortMs ? static_cast<int>(std::ceil(2 * kShortMs / std::max(ms, 0.001))) : 1;
}

bool enough(const TimingPolicy& policy, const std::vector<double>& ms, double spentSeconds, int floor) {
    const auto n = static_cast<int>(ms.size());
    if (n >= policy.maximumSamples) return true;
    if (n < floor) return false;
    if (spentSeconds > policy.budgetSeconds) return true;
    if (n < policy.minimumSamples || n % 5 != 0) return false;
    const auto t = summarise(ms, Clock::device);  // whichever the clock is
    return t.highMs - t.lowMs <= policy.relativeInterval * t.medianMs;
}

void runKernelRow(Device& device, Session& session, const Variant& variant, const TimingPolicy& policy,
                  std::stop_token stop, RunRecord& record, bool loaded) {
    const bool cuda = device.info().ranks();
    const auto clock = clockOf(device.info());
    const bool once = policy.warmUps == 0 && policy.maximumSamples == 1;
    // With warm-ups it is one of them, alone it is the sample.
    const double first = makeResult(device, session, variant, record, once && loaded);
    if (once) {
        record.time = summarise({first}, clock);
        return;
    }
    double rough = first;
    for (int i = 1; i < policy.warmUps; ++i) {
        // On the CPU a warm-up costs as much as a sample; a slow kernel has no budget for both.
        if (!cuda && rough * 1e-3 > policy.budgetSeconds / 4) break;
        rough = passOf(session, device);
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
    }
    if (!cuda && rough * 1e-3 > policy.budgetSeconds) {
        record.time = summarise({rough}, clock);
        return;
    }
    const bool repeatable = cuda && session.plan().empty();  // slabs are not: between their launches lie transfers
    const int repeats = repeatable ? repeatsFor(rough) : 1;
    record.time = sample(policy, clock, cuda ? 3 : 1, stop, [&] {
        if (repeats == 1) return passOf(session, device);
        const double all = StageLog::during(StageLog::kKernel, [&] {
            return device.time([&] {
                for (int i = 0; i < repeats; ++i) session.launch();
            });
        });
        return all / repeats;
    });
    device.takeLaunchFacts();
}

void runHostRow(const Problem& problem, const Variant& variant, const TimingPolicy& policy, std::stop_token stop,
                RunRecord& record) {
    std::unique_ptr<PortableSession> session;
    Clock clock = Clock::library;
    double first = 0;
    if (variant.kind == Variant::Kind::portable) {
        session = problem.portable()->openPortable(variant, record.tunables);
        clock = session->clock();
        record.runsOn = session->runsOn();
        first = StageLog::during(StageLog::kHost, [&] { return session->run(stop); });
        record.result = session->result();
    } else {
        record.result = StageLog::during(StageLog::kHost, [&] { return problem.runLibrary(variant, first, stop); });
    }
    if ((policy.warmUps == 0 && policy.maximumSamples == 1) || first * 1e-3 > policy.budgetSeconds)
        record.time = summarise({first}, clock);
    else
        record.time = sample(policy, clock, 1, stop, [&] {
            return StageLog::during(StageLog::kHost, [&] {
                if (session) return session->run(stop);
                double ms = 0;
                problem.runLibrary(variant, ms, stop);
                return ms;
            });
        });
    if (session) record.time->warmL2 = problem.work().workingSet() <= session->cacheBytes();
}

}  // namespace warplens::gpu
