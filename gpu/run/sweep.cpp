// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/sweep.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/user_kernel.hpp"
#include "io/generate.hpp"

#include <algorithm>

namespace warplens::gpu {

namespace {

using Kind = SweepAxis::Kind;

[[noreturn]] void refuse(const std::string& why) { throw Error(Error::Kind::argument, "sweep: " + why); }

bool varies(const std::vector<SweepAxis>& axes, Kind kind) {
    return std::ranges::find(axes, kind, &SweepAxis::kind) != axes.end();
}

bool varies(const std::vector<SweepAxis>& axes, const std::string& id) {
    return std::ranges::find(axes, id, &SweepAxis::id) != axes.end();
}

/// A kernel that takes part: of the ladder, or of the user's.
struct Competitor {
    RunSpec run{};
    std::shared_ptr<const UserKernel> yours{};
};

/// Whether it has the tunables varied. Refuses one that was `named` and has not.
bool takesPart(const RunSpec& run, const std::vector<SweepAxis>& axes, bool named) {
    bool all = true;
    for (const SweepAxis& axis : axes) {
        if (axis.kind != Kind::tunable) continue;
        const auto& tunables = run.variant->tunables;
        const bool has = std::ranges::find(tunables, axis.id, &Tunable::id) != tunables.end();
        if (!has && named) refuse(run.variant->id + " has no " + axis.id + ": name variants that have it");
        if (run.chosen.contains(axis.id)) refuse(run.id() + ": " + axis.id + " is varied: leave it out there");
        all = all && has;
    }
    return all;
}

/// The kernels among those chosen; of those not named the ones that have the tunables varied.
std::vector<Competitor> kernelsOf(const Family& family, const SweepRequest& request) {
    std::vector<Competitor> kernels;
    for (RunSpec& run : askedRuns(family, request.variants))
        if (run.variant->kind == Variant::Kind::kernel && takesPart(run, request.axes, !request.variants.empty()))
            kernels.push_back({std::move(run), nullptr});
    for (const auto& kernel : request.kernels) {
        RunSpec run{&kernel->variant(), kernel->chosen()};
        if (takesPart(run, request.axes, true)) kernels.push_back({std::move(run), kernel});
    }
    if (kernels.empty()) refuse("none of the chosen variants is a kernel that has what is varied");
    return kernels;
}

/// A parameter that the others leave without effect would give a map of nothing.
void checkParameter(const SweepAxis& axis, const SweepRequest& request, const std::vector<Parameter>& parameters) {
    const auto varied = std::ranges::find(parameters, axis.id, &Parameter::id);
    if (varied == parameters.end()) refuse(request.family + " has no " + axis.id);
    if (const auto why = leftAside(*varied, parameters, request.parameters); why && !varies(request.axes, why->owner))
        refuse(why->owner + " " + why->ownersValue + " has no " + varied->id + "; give " + why->fitting);
    for (const std::string& value : axis.values) parse(*varied, value);
}

void check(const SweepRequest& request, const Family& family) {
    if (request.axes.empty() || request.axes.size() > 2) refuse("give one or two things to vary");
    if (request.axes.size() == 2 && request.axes[0].id == request.axes[1].id)
        refuse(request.axes[0].id + " is varied twice: give another second axis");
    for (const SweepAxis& axis : request.axes) {
        if (axis.values.empty()) refuse(axis.id + ": at least one value is needed");
        if (axis.kind == Kind::parameter) checkParameter(axis, request, family.parameters());
    }
}

/// The clocks of all cells together.
void add(std::optional<ClockState>& all, const std::optional<ClockState>& cell) {
    if (!cell) return;
    if (!all) {
        all = cell;
        return;
    }
    all->smMhzMin = std::min(all->smMhzMin, cell->smMhzMin);
    all->smMhzMax = std::max(all->smMhzMax, cell->smMhzMax);
    if (cell->throttled) all->reason = cell->reason;
    all->throttled = all->throttled || cell->throttled;
}

/// Pictures change least often, then parameters: what lies on the device and its reference serve many cells.
int costOf(Kind kind) { return kind == Kind::tunable ? 0 : kind == Kind::parameter ? 1 : 2; }

/// The values of all cells in the order of measuring.
std::vector<std::vector<std::string>> symbolise(const std::vector<SweepAxis>& axes) {
    std::vector<std::vector<std::string>> places;
    if (axes.size() == 1) {
        for (const std::string& value : axes[0].values) places.push_back({value});
        return places;
    }
    const std::size_t outer = costOf(axes[1].kind) > costOf(axes[0].kind) ? 1 : 0, inner = 1 - outer;
    for (const std::string& slow : axes[outer].values)
        for (const std::string& quick : axes[inner].values)
            places.push_back(outer == 0 ? std::vector{slow, quick} : std::vector{quick, slow});
    return places;
}

/// One sweep while it is measured.
class Sweeper {
public:
    Sweeper(Runner& runner, const SweepRequest& request, const Family& family, Sweep& sweep)
        : m_runner(runner),
          m_request(request),
          m_family(family),
          m_sweep(sweep),
          m_kernels(kernelsOf(family, request)) {
        for (const auto& [run, yours] : m_kernels) sweep.variants.push_back(run.id());
        m_asked.inputName = request.input;
        m_asked.family = family.id();
        m_asked.parameters = request.parameters;
        m_asked.device = request.device;
        m_asked.timing = runner.limits(request.device) ? request.timing : TimingPolicy::once();
        m_asked.keepPictures = false;
    }

    /// False: it was stopped before the cell was whole.
    bool measure(const std::vector<std::string>& at, const std::stop_token& stop, const Observer& observer) {
        take(at);
        SweepCell cell{at, m_asked.input->shape().width, m_asked.input->shape().height, {}};
        const TunableValues tunables = tunablesAt(at);
        std::vector<std::string> ids;  // of the run of each row; empty: it is refused
        m_asked.variants.clear();
        m_asked.kernels.clear();
        for (const auto& [run, yours] : m_kernels) {
            SweepRow row{run.id(), Status::ok, {}, {}};
            RunKey key{run.variant->id, run.chosen};
            key.chosen.insert(tunables.begin(), tunables.end());
            ids.push_back(key.id());
            try {
                resolve(*run.variant, key.chosen);
                if (yours != nullptr)
                    m_asked.kernels.push_back(withTunables(yours, key.chosen));
                else
                    m_asked.variants.push_back(key.id());
            } catch (const Error& error) {
                row.status = Status::unsupported;
                row.reason = error.what();
            }
            cell.rows.push_back(std::move(row));
        }
        m_asked.kernelsAlone = m_asked.variants.empty();
        if (!(m_asked.kernelsAlone && m_asked.kernels.empty()) && !run(cell, ids, stop, observer)) return false;
        m_sweep.cells.push_back(std::move(cell));
        return true;
    }

    /// Cells whose parameters the picture does not allow.
    std::size_t refused() const { return m_refused; }

private:
    /// Picture and parameters of a cell.
    void take(const std::vector<std::string>& at) {
        auto [width, height] = m_request.size;
        std::string type = m_request.type;
        for (std::size_t i = 0; i < at.size(); ++i) {
            const SweepAxis& axis = m_request.axes[i];
            if (axis.kind == Kind::size) {
                const auto size = parseSize("size", at[i]);
                width = size[0];
                height = size[1];
            } else if (axis.kind == Kind::type) {
                type = at[i];
            } else if (axis.kind == Kind::parameter) {
                const auto& parameters = m_family.parameters();
                m_asked.parameters[axis.id] = parse(*std::ranges::find(parameters, axis.id, &Parameter::id), at[i]);
            }
        }
        const std::string picture = std::to_string(width) + "x" + std::to_string(height) + type;
        if (m_asked.input != nullptr && picture == m_picture) return;
        m_picture = picture;
        m_asked.input = m_request.picture(width, height, type);
    }

    TunableValues tunablesAt(const std::vector<std::string>& at) const {
        TunableValues tunables;
        for (std::size_t i = 0; i < at.size(); ++i)
            if (m_request.axes[i].kind == Kind::tunable) tunables[m_request.axes[i].id] = std::stoi(at[i]);
        return tunables;
    }

    bool run(SweepCell& cell, const std::vector<std::string>& ids, const std::stop_token& stop,
             const Observer& observer) {
        try {
            const Comparison comparison = m_runner.run(m_asked, stop, observer);
            m_sweep.device = comparison.device;
            m_sweep.limits = comparison.limits;
            // A cell without all its variants would name a wrong winner.
            if (comparison.interrupted) return false;
            add(m_sweep.environment.clocks, comparison.environment.clocks);
            for (const RunRecord& record : comparison.runs) {
                SweepRow& row = cell.rows[static_cast<std::size_t>(std::ranges::find(ids, record.id()) - ids.begin())];
                row.status = record.status;
                row.reason = record.reason;
                if (record.status == Status::ok) row.time = record.time;
                if (record.verification) row.note = record.verification->note;
            }
        } catch (const CompileError&) {
            throw;  // it compiles nowhere
        } catch (const Error& error) {
            // What the picture does not allow with these parameters is this cell's matter alone.
            if (error.kind() != Error::Kind::argument && error.kind() != Error::Kind::unsupported) throw;
            ++m_refused;
            for (SweepRow& row : cell.rows) {
                if (row.status != Status::ok) continue;
                row.status = Status::unsupported;
                row.reason = error.what();
            }
        }
        return true;
    }

    Runner& m_runner;
    const SweepRequest& m_request;
    const Family& m_family;
    Sweep& m_sweep;
    std::vector<Competitor> m_kernels;
    Request m_asked;
    std::string m_picture;  ///< size and type of the present one
    std::size_t m_refused = 0;
};

}  // namespace

std::string sweptFamilies() {
    return familyIds([](const FamilyInfo& info) { return !info.swept.empty(); });
}

std::shared_ptr<const io::Grid> noisePicture(std::int64_t width, std::int64_t height, const std::string& type) {
    return std::make_shared<const io::Grid>(
        io::generate("gen:noise:" + std::to_string(width) + "x" + std::to_string(height) + ":" + type));
}

void sweepOn(SweepRequest& request, std::shared_ptr<const io::Grid> picture, const std::string& name) {
    if (varies(request.axes, Kind::size) || varies(request.axes, Kind::type))
        refuse("a picture of one's own has one size and one type: leave them, or the picture, out");
    request.input = name;
    request.size = {picture->shape().width, picture->shape().height};
    request.type = io::nameOf(picture->type());
    request.picture = [picture = std::move(picture)](std::int64_t, std::int64_t, const std::string&) {
        return picture;
    };
}

Sweep runSweep(Runner& runner, const SweepRequest& request, const std::stop_token& stop, const Observer& observer,
               const std::function<void(const Sweep&)>& cellDone) {
    const Family& family = familyOf(request.family);
    check(request, family);
    Sweep sweep;
    sweep.version = WARPLENS_VERSION;
    sweep.environment = describeEnvironment();
    sweep.family = family.id();
    sweep.axes = request.axes;
    for (const Parameter& p : family.parameters())
        if (!varies(request.axes, p.id))
            sweep.parameters[p.id] = valueOf(family.parameters(), request.parameters, p.id);
    sweep.input = request.input;
    if (!varies(request.axes, Kind::type)) sweep.type = request.type;
    for (const SweepAxis& axis : request.axes)
        if (axis.kind == Kind::size)
            for (const std::string& size : axis.values) sweep.sizes.push_back(parseSize("size", size));
    if (sweep.sizes.empty()) sweep.sizes = {request.size};

    Sweeper sweeper(runner, request, family, sweep);
    const double total = static_cast<double>(sweep.wanted());
    for (const std::vector<std::string>& at : symbolise(request.axes)) {
        const double done = static_cast<double>(sweep.cells.size());
        const std::string where = placeOf(sweep, {.at = at});
        const Observer within{.progress =
                                  [&](double fraction, const std::string& what) {
                                      if (observer.progress)
                                          observer.progress((done + fraction) / total, where + ": " + what);
                                  },
                              .record = {}};
        sweep.interrupted = stop.stop_requested() || !sweeper.measure(at, stop, within);
        if (sweep.interrupted) return sweep;
        if (cellDone) cellDone(sweep);
    }
    if (sweeper.refused() == sweep.cells.size())
        refuse(placeOf(sweep, sweep.cells.front()) + ": " + sweep.cells.front().rows.front().reason);
    return sweep;
}

}  // namespace warplens::gpu
