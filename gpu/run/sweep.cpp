// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/sweep.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <string_view>

namespace warplens::gpu {

namespace {

std::vector<std::string> kernelsOf(const Family& family, const std::vector<std::string>& chosen) {
    std::vector<std::string> kernels;
    for (const AskedRun& run : askedRuns(family, chosen))
        if (run.variant->kind == Variant::Kind::kernel) kernels.push_back(run.id());
    return kernels;
}

std::int64_t numberIn(const std::string& name, std::string_view text, const char* example) {
    const auto number = io::parseNumber<std::int64_t>(text);
    if (!number || *number < 0)
        throw Error(Error::Kind::argument, name + " '" + std::string(text) +
                                               "': give whole numbers with commas between them, as in " + example);
    return *number;
}

/// Blanks are allowed around commas.
std::string withoutBlanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

void check(const SweepRequest& request, const Family& family) {
    if (request.parameter.empty() || request.parameter != family.info().swept)
        throw Error(Error::Kind::argument,
                    "sweep: " + family.id() + " has no parameter to vary; give " + sweptFamilies());
    if (request.values.empty() || request.sizes.empty())
        throw Error(Error::Kind::argument, "sweep: at least one value and one size are needed");
    const auto& parameters = family.parameters();
    const auto varied = std::ranges::find(parameters, request.parameter, &Parameter::id);
    if (!varied->onlyWhen.empty()) {
        const std::string& choice = textOf(parameters, request.parameters, varied->onlyWhen);
        if (std::ranges::find(varied->onlyWhenIn, choice) == varied->onlyWhenIn.end())
            throw Error(Error::Kind::argument, "sweep: " + varied->onlyWhen + " " + choice + " has no " + varied->id +
                                                   "; give " + varied->onlyWhenIn.front() + " or " +
                                                   varied->onlyWhenIn.back());
    }
    for (const std::int64_t value : request.values) {
        ParameterValues values = request.parameters;
        values[request.parameter] = value;
        validate(parameters, values);
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

SweepCell cellOf(const Comparison& comparison, std::int64_t value) {
    SweepCell cell{value, comparison.input->shape().width, comparison.input->shape().height, {}};
    for (const RunRecord& run : comparison.runs) {
        SweepRow row{run.id(), run.status, run.reason, {}};
        if (run.status == Status::ok) row.time = run.time;
        if (run.verification) row.note = run.verification->note;
        cell.rows.push_back(std::move(row));
    }
    return cell;
}

}  // namespace

std::string sweptFamilies() {
    return familyIds([](const FamilyInfo& info) { return !info.swept.empty(); });
}

std::vector<std::int64_t> parseWholeNumbers(const std::string& name, const std::string& text) {
    std::vector<std::int64_t> numbers;
    const std::string list = withoutBlanks(text);
    for (const auto item : io::split(list, ',')) numbers.push_back(numberIn(name, item, "1,2,4"));
    return numbers;
}

std::vector<std::array<std::int64_t, 2>> parseSizes(const std::string& name, const std::string& text) {
    std::vector<std::array<std::int64_t, 2>> sizes;
    const std::string list = withoutBlanks(text);
    for (const auto item : io::split(list, ',')) {
        const auto extents = io::split(item, 'x');
        const auto extent = [&](std::string_view of) { return numberIn(name, of, "512,1024x768"); };
        if (extents.size() > 2) extent(item);
        sizes.push_back({extent(extents.front()), extent(extents.back())});
    }
    return sizes;
}

Sweep runSweep(Runner& runner, const SweepRequest& request, const std::stop_token& stop, const Observer& observer,
               const std::function<void(const Sweep&)>& cellDone) {
    const Family& family = familyOf(request.family);
    check(request, family);
    Sweep sweep;
    sweep.version = WARPLENS_VERSION;
    sweep.environment = describeEnvironment();
    sweep.family = family.id();
    sweep.parameter = request.parameter;
    for (const Parameter& p : family.parameters())
        if (p.id != request.parameter) sweep.parameters[p.id] = valueOf(family.parameters(), request.parameters, p.id);
    sweep.input = request.input;
    sweep.type = request.type;
    sweep.values = request.values;
    sweep.sizes = request.sizes;
    sweep.variants = kernelsOf(family, request.variants);
    if (sweep.variants.empty()) throw Error(Error::Kind::argument, "sweep: none of the chosen variants is a kernel");

    Request asked;
    asked.inputName = request.input;
    asked.family = family.id();
    asked.parameters = request.parameters;
    asked.variants = sweep.variants;
    asked.device = request.device;
    asked.timing = request.timing;
    asked.keepPictures = false;
    if (!runner.limits(request.device)) asked.timing = TimingPolicy::once();
    const double total = static_cast<double>(request.sizes.size() * request.values.size());
    for (const auto& [width, height] : request.sizes) {
        // One picture for all values: it stays on the device.
        if (!stop.stop_requested()) asked.input = request.picture(width, height);
        for (const std::int64_t value : request.values) {
            const double done = static_cast<double>(sweep.cells.size());
            const std::string where = std::to_string(width) + "x" + std::to_string(height) + ", " + request.parameter +
                                      " " + std::to_string(value);
            const Observer within{.progress =
                                      [&](double fraction, const std::string& what) {
                                          if (observer.progress)
                                              observer.progress((done + fraction) / total, where + ": " + what);
                                      },
                                  .record = {}};
            asked.parameters[request.parameter] = value;
            sweep.interrupted = stop.stop_requested();
            if (sweep.interrupted) return sweep;
            const Comparison comparison = runner.run(asked, stop, within);
            sweep.device = comparison.device;
            sweep.limits = comparison.limits;
            // A cell without all its variants would name a wrong winner.
            sweep.interrupted = comparison.interrupted;
            if (sweep.interrupted) return sweep;
            add(sweep.environment.clocks, comparison.environment.clocks);
            sweep.cells.push_back(cellOf(comparison, value));
            if (cellDone) cellDone(sweep);
        }
    }
    return sweep;
}

}  // namespace warplens::gpu
