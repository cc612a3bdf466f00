// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/runner.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/core/multi_device_problem.hpp"
#include "gpu/core/padded_rows.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/auto_selector.hpp"
#include "gpu/run/piece_session.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/runner_open.hpp"
#include "gpu/run/slab_ring.hpp"
#include "gpu/run/timing.hpp"
#include "gpu/run/transfer_benchmark.hpp"
#include "gpu/run/user_kernel.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu {

Runner::Runner() : Runner(std::make_shared<AutoSelector>()) {}
Runner::Runner(std::shared_ptr<AutoSelector> choice) : m_auto(std::move(choice)) {}
Runner::~Runner() = default;

std::unique_ptr<Runner> Runner::beside() const { return std::unique_ptr<Runner>(new Runner(m_auto)); }

Runner::Open& Runner::open(const std::string& id) {
    const auto known = std::find_if(m_open.begin(), m_open.end(), [&](const auto& o) {
        const auto& info = o->device->info();
        return !id.empty() && (info.id == id || info.uuid == id);
    });
    if (known != m_open.end()) return **known;
    auto device = openDevice(id);
    for (const auto& o : m_open) {
        if (o->device->info().id == device->info().id) return *o;
    }
    m_open.push_back(std::unique_ptr<Open>(new Open{std::move(device), {}}));
    return *m_open.back();
}

std::optional<Limits> Runner::limits(const std::string& device) {
    const std::lock_guard lock(m_mutex);
    return open(device).device->limits();
}

namespace {

/// A tunable that no chosen variant has is refused before anything runs.
std::vector<RunSpec> chooseRuns(const Family& family, const Request& request) {
    std::vector<RunSpec> list;
    if (!request.kernelsAlone) list = askedRuns(family, request.variants);
    const auto has = [](const Variant& variant, const std::string& id) {
        return std::ranges::find(variant.tunables, id, &Tunable::id) != variant.tunables.end();
    };
    for (const auto& [id, value] : request.tunables) {
        if (std::ranges::none_of(list, [&, &name = id](const RunSpec& run) { return has(*run.variant, name); }) &&
            std::ranges::none_of(request.kernels, [&, &name = id](const auto& k) { return has(k->variant(), name); }))
            throw Error(Error::Kind::argument, "none of the chosen variants has a tunable '" + id + "'");
    }
    // What no chosen variant can have is a mistake; what some can have leaves the others unsupported.
    if (!request.tunables.empty() && request.kernels.empty()) {
        std::string why;
        const bool possible = std::ranges::any_of(list, [&](const RunSpec& run) {
            if (run.variant->kind == Variant::Kind::library || tunablesFor(*run.variant, request.tunables).empty())
                return false;
            try {
                resolve(*run.variant, run.over(request.tunables));
                return true;
            } catch (const Error& error) {
                why = error.what();
                return false;
            }
        });
        if (!possible) throw Error(Error::Kind::argument, why);
    }
    return list;
}

/// What is known of a row before it runs. What `auto` took is the row of that variant named without tunables.
/// `shared`: the problem, where several devices share it.
RunRecord describe(const RunSpec& run, const Request& request, const std::optional<Choice>& choice,
                   const Problem& problem, const DeviceInfo& device, const MultiDeviceProblem* shared = nullptr) {
    const bool taken = choice && choice->variant == run.id();
    TunableValues tunables = taken ? choice->tunables : run.over(request.tunables);
    if (shared != nullptr) tunables.merge(shared->whenShared(*run.variant));
    RunRecord record = makeRunRecord(request.family, problem, *run.variant, tunables, device);
    record.chosen = run.chosen;
    if (taken) record.choice = choice;
    return record;
}

}  // namespace

std::shared_ptr<const Problem> Runner::pose(const Family& family, const Request& request) {
    const std::lock_guard lock(m_posedMutex);
    if (m_posed.problem == nullptr || m_posed.input != request.input || m_posed.family != request.family ||
        m_posed.parameters != request.parameters) {
        m_posed = {};
        m_posed = {request.input, request.family, request.parameters, family.pose(request.input, request.parameters)};
    }
    return m_posed.problem;
}

void Runner::setTuning(std::shared_ptr<const Tuning> tuning) { m_auto->setTuning(std::move(tuning)); }

void Runner::forget(const Open& opened) {
    std::erase_if(m_open, [&](const auto& o) { return o.get() == &opened; });
}

Preview Runner::preview(const Request& asked, const std::shared_ptr<const render::Display>& display,
                        std::stop_token stop, const std::vector<Request>& behind) {
    const std::lock_guard lock(m_mutex);
    const Family& family = familyOf(asked.family);
    const auto problem = pose(family, asked);
    Open& opened = open(asked.device);
    Device& device = *opened.device;
    const auto describeOne = [&](const Request& step, const Problem& posed) {
        Request request = step;
        request.autotune = false;  // a picture to be seen now
        const Family& its = familyOf(request.family);
        std::unique_ptr<Session> none;
        const auto choice = choose(request, its, posed, opened, stop, none);
        const RunSpec run = chooseRuns(its, request).front();
        return std::pair(run.variant, describe(run, request, choice, posed, device.info()));
    };
    const auto [variant, described] = describeOne(asked, *problem);
    if (described.status == Status::unsupported || onHost(*variant))
        return {.record = described, .computed = false, .seen = {}};
    prepare(opened, asked, stop);
    const ScopedInteractiveMode hurried(device, true);
    try {
        Preview preview = opened.live.preview(problem, *variant, described, opened.resident, display,
                                              {behind, *asked.input, describeOne});
        device.setStop({});
        return preview;
    } catch (const Error& error) {
        opened.live.drop();
        device.setStop({});
        if (error.kind() == Error::Kind::fault) forget(opened);
        throw;
    }
}

namespace {

/// By the definition that the family's own kernels have: that of the row it is a copy of, or else of the first, which
/// is held to the plain bound.
Verification verifyUserKernel(const Problem& problem, const RunRecord& record, const Request& request,
                              const std::stop_token& stop) {
    const auto& variants = familyOf(request.family).variants();
    const auto same = [&](const auto& kernel) { return kernel->variant().id == record.variant; };
    const auto kernel = std::ranges::find_if(request.kernels, same);
    const std::string copied = kernel == request.kernels.end() ? "" : (*kernel)->variant().predecessor;
    const auto row = std::ranges::find(variants, copied, &Variant::id);
    return problem.verify(record.result, row == variants.end() ? variants.front() : *row, stop);
}

RunRecord describe(const UserKernel& kernel, const Request& request, const DeviceInfo& device) {
    RunRecord record;
    record.family = request.family;
    record.variant = kernel.variant().id;
    record.chosen = kernel.chosen();
    record.runsOn = device.id;
    record.yours = true;
    return record;
}

}  // namespace

/// The rows of one request, which share a session.
class Runner::Rows {
public:
    Rows(const Request& request, bool alone, const Problem& problem, Open& opened, std::vector<Device*> devices,
         std::stop_token stop, Comparison& comparison)
        : m_request(request),
          m_problem(problem),
          m_opened(opened),
          m_devices(std::move(devices)),
          m_stop(std::move(stop)),
          m_comparison(comparison),
          m_alone(alone),
          m_once(request.timing.warmUps == 0 && request.timing.maximumSamples == 1) {}

    /// Runs a row that was described; what befalls it is in its record. `tell` hears how the work is cut. Throws
    /// Error(cancelled), and any other when there is no input to run on.
    void run(const Variant& variant, RunRecord& record, const std::function<void(const std::string&)>& tell) {
        if (record.status == Status::unsupported) return;  // its reason stands there
        if (m_lost && !onHost(variant)) {
            record.status = Status::failed;
            record.reason = "not run: the GPU was lost to this process before";
            return;
        }
        try {
            compute(variant, record, tell);
            rate(record, completedWork(m_comparison.work, record, m_comparison.parameters),
                 m_comparison.input->shape().values(), m_comparison.device, m_comparison.limits);
            if (m_request.verify)
                applyVerification(record, StageLog::during(StageLog::kVerify, [&] {
                                      return m_problem.verify(record.result, variant, m_stop);
                                  }));
        } catch (const Error& error) {
            const bool noInput = !onHost(variant) && !m_hasInput;
            m_lost = m_lost || error.kind() == Error::Kind::fault;
            // Without its input there is nothing to run, nor without memory for the only row.
            const bool nothing = (noInput && !m_lost) || (error.kind() == Error::Kind::outOfMemory && m_alone);
            if (error.kind() == Error::Kind::cancelled || nothing) throw;
            applyError(record, error);
        }
    }

    /// Runs a kernel of the user's, as run() does a row.
    void run(const UserKernel& kernel, RunRecord& record) {
        try {
            TunableValues all = kernel.chosen();
            all.merge(tunablesFor(kernel.variant(), m_request.tunables));
            record.tunables = resolve(kernel.variant(), all);
            kernel.run({m_problem, m_request, m_comparison.device}, record, m_stop);
            if (record.status != Status::ok) return;
            rate(record, m_comparison.work, m_comparison.input->shape().values(), m_comparison.device,
                 m_comparison.limits);
            if (m_request.verify) applyVerification(record, verifyUserKernel(m_problem, record, m_request, m_stop));
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::cancelled || error.kind() == Error::Kind::argument) throw;
            applyError(record, error);
        }
    }

    /// Takes a session of the problem that is open already.
    void use(std::unique_ptr<Session> session) {
        m_session = std::move(session);
        m_hasInput = true;
    }

    /// Whether the device broke.
    bool lost() const { return m_lost; }

private:
    void compute(const Variant& variant, RunRecord& record, const std::function<void(const std::string&)>& tell) {
        if (onHost(variant)) return runHostRow(m_problem, variant, m_request.timing, m_stop, record);
        if (auto seen = m_once ? m_opened.live.take(&m_problem, record) : std::nullopt) {
            record = std::move(*seen);
            return;
        }
        if (!m_session) {
            m_opened.live.drop();  // its memory is needed
            m_session = m_devices.size() > 1 ? openOver(m_problem, m_devices, m_opened.resident, m_request.halos)
                                             : openFitting(m_problem, *m_opened.device, m_opened.resident);
            m_hasInput = true;
            if (const std::string plan = m_session->plan(); !plan.empty()) tell(plan);
        }
        const bool whole = m_session->plan().empty();
        try {
            // Of several devices each loads its own.
            LoadedCode row{m_request.family,           m_request.parameters, m_comparison.input->shape(),
                           m_comparison.input->type(), variant.id,           record.tunables};
            const bool alone = m_devices.size() == 1;
            const bool loaded = alone && m_opened.loaded == row;
            if (alone) m_opened.loaded.reset();
            runKernelRow(*m_opened.device, *m_session, variant, m_request.timing, m_stop, record, loaded);
            if (alone) m_opened.loaded = std::move(row);
            if (!whole) m_comparison.plan = m_session->plan();
            record.slabs = m_session->slabs();
            if (const auto overlap = m_session->overlap()) record.reason = overlap->sentence();
            if (const auto pitch = m_session->pitch(); pitch > 0)
                record.reason = paddedRows(m_comparison.input->shape().width, pitch) + "; layout is what that takes";
        } catch (const Error& error) {
            if (error.kind() != Error::Kind::outOfMemory || !whole || !canBeCut(m_problem)) throw;
            runInPieces(variant, record, error);
        }
        const Resident& resident = m_opened.resident;
        record.uploadMs = resident.fresh ? resident.uploadMs : 0;
        const bool padded = m_session && m_session->pitch() > 0;
        *record.layoutMs += resident.fresh ? resident.layoutMs + (padded ? resident.padMs : 0) : 0;
    }

    /// A row whose own memory does not fit beside the whole picture; those after it may.
    void runInPieces(const Variant& variant, RunRecord& record, const Error& why) {
        m_session.reset();
        m_session = openInPieces(m_problem, *m_opened.device, m_opened.resident, why);
        runKernelRow(*m_opened.device, *m_session, variant, m_request.timing, m_stop, record);
        record.reason = "needs memory beside the picture: " + m_session->plan();
        record.slabs = m_session->slabs();
        std::string& plan = m_comparison.plan;
        plan += (plan.empty() ? "" : "; ") + record.id() + ": " + m_session->plan();
        m_session.reset();
    }

    const Request& m_request;
    const Problem& m_problem;
    Open& m_opened;
    std::vector<Device*> m_devices;
    std::stop_token m_stop;
    Comparison& m_comparison;
    bool m_alone;  ///< the only row
    bool m_once;   ///< run for the result, not for its time
    std::unique_ptr<Session> m_session;
    bool m_hasInput = false;  ///< there was a session
    bool m_lost = false;
};

namespace {

Request withoutHostLibraries(Request request) {
    request.variants = {kAuto};
    request.hostLibraries = false;
    return request;
}

/// All that is known before a row has run.
Comparison begin(const Request& request, const Family& family, const Problem& problem, const Device& device) {
    Comparison comparison;
    comparison.inputName = request.inputName;
    comparison.input = request.input;
    comparison.family = family.id();
    comparison.parameters = withDefaults(family, request.parameters);
    comparison.facts = problem.facts();
    comparison.work = problem.work();
    comparison.environment = describeEnvironment();
    comparison.device = device.info();
    return comparison;
}

}  // namespace

Comparison Runner::run(const Request& asked, std::stop_token stop, const Observer& observer) {
    const std::lock_guard lock(m_mutex);
    Request request = asked;
    const Family& family = familyOf(request.family);
    const bool chooses = !request.kernelsAlone && std::ranges::find(request.variants, kAuto) != request.variants.end();
    std::vector<RunSpec> runs;
    // What can be refused is refused before a device is opened.
    if (!chooses) runs = chooseRuns(family, request);
    for (const auto& id : request.variants)
        if (id != kAuto) parseRunSpec(family, id);
    const auto problem = pose(family, request);
    const bool several = worksOnSeveral(request, *problem);
    const auto* shared = several ? problem->overDevices() : nullptr;
    Open& opened = open(request.device);
    Device& device = *opened.device;
    prepare(opened, request, stop);
    const std::vector<Device*> devices = team(opened, request, stop);
    device.clocks();  // what an interrupted request has left

    Comparison comparison = begin(request, family, *problem, device);
    std::unique_ptr<Rows> rows;
    const auto tell = [&](double fraction, const std::string& what) {
        if (observer.progress) observer.progress(fraction, what);
    };
    try {
        if (request.measureLimits && !several && device.info().ranks()) {
            tell(0, "measuring the limits of " + device.info().name);
            comparison.limits = device.limits();
        }
        std::unique_ptr<Session> session;
        const auto choice = choose(request, family, *problem, opened, stop, session);
        if (choice) runs = chooseRuns(family, request);
        const std::size_t total = runs.size() + request.kernels.size();
        rows = std::make_unique<Rows>(request, total == 1, *problem, opened, devices, stop, comparison);
        if (several) session.reset();  // of the device that the guesses raced on
        if (session) rows->use(std::move(session));
        const auto add = [&](RunRecord record) {
            if (observer.record) observer.record(record);
            if (!request.keepPictures) record.result.picture.reset();
            comparison.runs.push_back(std::move(record));
        };
        const auto begins = [&](std::size_t row, const std::string& id) {
            if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
            const double fraction = static_cast<double>(row) / static_cast<double>(total);
            tell(fraction, id);
            return fraction;
        };
        // One that does not compile says so before the ladder has run.
        std::vector<RunRecord> yours;
        for (const auto& kernel : request.kernels) {
            begins(yours.size(), kernel->id());
            yours.push_back(describe(*kernel, request, device.info()));
            rows->run(*kernel, yours.back());
        }
        const auto row = [&](std::size_t i, const RunSpec& run, const std::optional<Choice>& chosen) {
            const double fraction = begins(yours.size() + i, run.id());
            RunRecord record = describe(run, request, chosen, *problem, device.info(), shared);
            if (several) tellDevices(devices, *run.variant, record);
            rows->run(*run.variant, record, [&](const std::string& what) { tell(fraction, what); });
            dropIfWrong(record, request, family);
            return record;
        };
        for (std::size_t i = 0; i < runs.size(); ++i) {
            RunRecord record = row(i, runs[i], choice);
            if (failedOnHost(record)) {
                Request kernels = withoutHostLibraries(request);
                const auto instead = choose(kernels, family, *problem, opened, stop, session);
                record = row(i, chooseRuns(family, kernels).front(), instead);
            }
            add(std::move(record));
        }
        for (RunRecord& record : yours) add(std::move(record));
        tell(1, "done");
    } catch (const Error& error) {
        if (rows == nullptr && error.kind() == Error::Kind::fault) forget(opened);  // in a race
        if (error.kind() != Error::Kind::cancelled) throw;
        comparison.interrupted = true;
    }
    const bool lost = rows != nullptr && rows->lost();
    rows.reset();  // the session needs the device
    if (lost) {
        forget(opened);
    } else if (!comparison.interrupted) {
        comparison.environment.clocks = device.clocks();
    }
    return comparison;
}

TransferBenchmark Runner::movement(const MovementRequest& request, const std::string& device, std::stop_token stop,
                                   const std::function<void(double, const std::string&)>& progress) {
    const std::lock_guard lock(m_mutex);
    Open& opened = open(device);
    opened.live.drop();  // their memory is needed
    opened.resident = {};
    opened.device->setScheduling({});
    try {
        return measureMovement(request, *m_auto->tables(), *opened.device, std::move(stop), progress);
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::fault) forget(opened);
        throw;
    }
}

RunRecord Runner::verify(const Request& request, const RunRecord& record, std::stop_token stop) {
    // No device is touched, so nothing has to wait for it, unless another row has to run.
    const Family& family = familyOf(request.family);
    RunRecord verified = record;
    const auto problem = pose(family, request);
    applyVerification(verified, record.yours ? verifyUserKernel(*problem, record, request, stop)
                                             : problem->verify(record.result, variantOf(family, record.variant), stop));
    dropIfWrong(verified, request, family);
    if (!failedOnHost(verified)) return verified;
    Request instead = withoutHostLibraries(request);
    instead.verify = instead.keepPictures = true;
    Comparison comparison = run(instead, stop);
    if (comparison.interrupted) throw Error(Error::Kind::cancelled, "stopped");
    return std::move(comparison.runs.front());
}

}  // namespace warplens::gpu
