// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/core/record.hpp"
#include "gpu/device/device.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

class AutoSelector;
class Family;
class Problem;
class Session;
class Tuning;
class UserKernel;
struct TransferBenchmark;
struct MovementRequest;
struct AutoTask;
struct Preview;
namespace render {
struct Display;
}

/// How long and how often to time.
struct TimingPolicy {
    int warmUps = 3;
    int minimumSamples = 10, maximumSamples = 200;
    double relativeInterval = 0.01;  ///< stop when the 95 % interval of the median is this narrow
    double budgetSeconds = 0.5;      ///< a variant; wins over both
    /// One launch without warm-up, for filtering.
    static TimingPolicy once() { return {.warmUps = 0, .minimumSamples = 1, .maximumSamples = 1}; }
};

/// What to run.
struct Request {
    std::shared_ptr<const io::Grid> input;
    std::string inputName;
    std::string family;
    ParameterValues parameters;
    std::vector<std::string> variants;  ///< run ids (run_key.hpp), or "auto" for what the tuning chooses; empty: the
                                        ///< whole ladder
    TunableValues tunables;             ///< --set; of every variant that has the tunable and was not named with another
    std::string device;                 ///< "cpu", "cuda:N", a UUID; empty: the default
    /// Further devices that work on it at the same time, as deviceIds() gives them, for a problem
    /// that is MultiDeviceProblem or can be cut (Partitionable).
    std::vector<std::string> beside{};
    HaloExchangeMode halos = HaloExchangeMode::overlapped;  ///< between them
    TimingPolicy timing;
    bool verify = true;
    bool measureLimits = true;  ///< the device's ceilings, for percent of limit; never of several devices
    Scheduling scheduling;
    bool keepPictures = true;    ///< in the comparison; else only the observer sees them, one after the other
    std::int64_t memoryCap = 0;  ///< bytes that may be allocated on the device; 0: whatever it has
    std::vector<std::shared_ptr<const UserKernel>> kernels{};  ///< of the user's, after the ladder
    bool kernelsAlone = false;                                 ///< no row of the ladder
    bool autotune = true;  ///< `auto` may race its guesses first, on a GPU; false: it takes what it knows, at once
    /// For filtering, where the picture counts and nothing is compared: on a device whose times rank nothing `auto` may
    /// take a library's row on the host. What is said of kernels or devices (tunables, further devices, a memory cap,
    /// shuffled threads) is said to a kernel.
    bool hostLibraries = false;
};

/// Told on the thread that called run().
struct Observer {
    std::function<void(double fraction, const std::string& what)> progress;
    std::function<void(const RunRecord&)> record;  ///< each variant as soon as it is done
};

/// Uploads, warms up, times, downloads, verifies. Keeps devices open and the last input resident. Thread-safe: calls
/// queue.
class Runner {
public:
    Runner();
    ~Runner();
    /// Another one with devices of its own, which chooses by what this one has measured, and the other way round: so
    /// that one sends while the other computes. They take turns where their threads' MomentLogs have EngineLocks.
    std::unique_ptr<Runner> beside() const;
    /// What `auto` guesses by from now on; a runner that was given none takes the ladder from its end.
    void setTuning(std::shared_ptr<const Tuning> tuning);
    /// Runs all variants of the request in ladder order, on one device or on several at once. A variant's failure is in
    /// its record; what makes the whole request impossible (parameters, device, memory for the input) throws Error.
    /// Stopping returns what is done so far with `interrupted` set.
    Comparison run(const Request& request, std::stop_token stop = {}, const Observer& observer = {});
    /// Runs the request's one variant and draws what is seen of its result on the device that holds it; the result
    /// stays there, so that looking again costs no kernel and run() of the same request only brings it down. Stopping
    /// throws Error(cancelled). With steps `behind` it, each of one variant and without a picture of its own, what is
    /// drawn is what they make of it there; nothing where one of them has to see it on the host.
    Preview preview(const Request& request, const std::shared_ptr<const render::Display>& display,
                    std::stop_token stop = {}, const std::vector<Request>& behind = {});
    /// Races the guesses for a request of `auto` that was run with autotune = false. Nothing where that tells no
    /// more: it was done before, the device's times rank nothing, the problem does not fit it as a whole. Throws Error;
    /// stopping throws Error(cancelled).
    std::optional<Choice> measureChoice(const Request& request, std::stop_token stop = {});
    /// Moves pictures in every way on a device that is open here or is opened, as measureMovement() (movement.hpp) does
    /// and throws; `auto` is what the tuning says.
    TransferBenchmark movement(const MovementRequest& request, const std::string& device, std::stop_token stop = {},
                               const std::function<void(double fraction, const std::string& what)>& progress = {});
    /// Verifies a record made with verify = false and returns it completed. One that `auto` took from a library on the
    /// host and that is wrong is run again, by a kernel.
    RunRecord verify(const Request& request, const RunRecord& record, std::stop_token stop = {});
    /// The measured ceilings of a device; absent on the CPU.
    std::optional<Limits> limits(const std::string& device);

private:
    explicit Runner(std::shared_ptr<AutoSelector> choice);
    struct Open;
    class Rows;
    Open& open(const std::string& id);
    /// The last problem stays posed: its reference serves every variant and every later check of the same request.
    struct CachedProblem {
        std::shared_ptr<const io::Grid> input;
        std::string family;
        ParameterValues parameters;
        std::shared_ptr<const Problem> problem;
    };
    std::shared_ptr<const Problem> pose(const Family& family, const Request& request);
    static void prepare(Open& opened, const Request& request, const std::stop_token& stop);
    /// The request's device and those beside it, which are opened where they are not open yet.
    static std::vector<Device*> team(Open& opened, const Request& request, const std::stop_token& stop);
    /// A device that broke is opened anew next time.
    void forget(const Open& opened);
    /// Puts what is chosen in the place of `auto`; absent when that was not asked for. After a race `session` is one
    /// that can be used further.
    std::optional<Choice> choose(Request& request, const Family& family, const Problem& problem, Open& opened,
                                 const std::stop_token& stop, std::unique_ptr<Session>& session);
    /// By a race where that tells more and is possible.
    Choice race(const AutoTask& task, Open& opened, const std::stop_token& stop, std::unique_ptr<Session>& session);

    /// What was chosen and turned out to be wrong, or is a library's that refused when it ran, is not chosen again for
    /// the same task.
    void dropIfWrong(const RunRecord& record, const Request& request, const Family& family);

    std::mutex m_mutex, m_posedMutex;
    std::shared_ptr<AutoSelector> m_auto;
    std::vector<std::unique_ptr<Open>> m_open;
    CachedProblem m_posed;
};

}  // namespace warplens::gpu
