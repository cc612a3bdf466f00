// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/report/report.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Which figure is asked for, and so how near the recorded picture has to be. Whatever it is, family, parameters, type,
/// channels and the number of dimensions have to be equal.
enum class RecordedFigure {
    time,    ///< of a picture of equal size, with the same values where a family's times depend on them
    rate,    ///< work over time: as a time, but of any size, which is to be told beside it
    launch,  ///< registers, shared memory, occupancy: a block's, of any size and any values; the size is to be told
    table    ///< what is shown for itself, under a head that names picture and size: of any size and any values
};

/// All of a request that decides whose a recorded number is, but for the row: RecordedSource asks for that.
class RecordedTask {
public:
    /// That of a report's runs.
    explicit RecordedTask(const Report& report);
    /// That of a request: `inputName` as a report would name the picture.
    RecordedTask(const Family& family, const ParameterValues& values, const io::Grid& input, std::string inputName);
    /// That of a recorded picture by its whole name, which says its type and extents: "gen:noise:512x512x512:f32".
    RecordedTask(const Family& family, const ParameterValues& values, std::string recordedInput);

    /// The same, recorded on one GPU (DeviceInfo::name) instead of on any.
    RecordedTask on(std::string device) const;
    /// The same whatever the value of a parameter, for figures of each of its steps.
    RecordedTask apartFrom(std::string parameter) const;

    bool matches(const Report& recorded, RecordedFigure figure) const;

private:
    friend class RecordedRuns;
    RecordedTask(const Family& family, const ParameterValues& values);
    bool sameParameters(const Report& recorded) const;
    bool sameValues(const Report& recorded) const;
    bool sameSize(const Report& recorded) const;

    std::string m_family;
    ParameterValues m_parameters;  ///< every one of the family
    std::string m_input, m_hash;   ///< no hash: not known
    std::string m_type;            ///< empty: the input's name says it
    io::Shape m_shape{};
    std::string m_device, m_apart;
};

/// A recorded run of a task. It lives as long as the RecordedRuns that it is from.
class RecordedSource {
public:
    RecordedSource(const Report& report, bool sameSize) : m_report(&report), m_sameSize(sameSize) {}

    /// For what is said of it: GPU, date, picture, limits. Numbers of a row come from run() and time().
    const Report& report() const { return *m_report; }
    bool sameSize() const { return m_sameSize; }
    /// "NVIDIA H200, 2026-11-22, 8,192 x 8,192 f32"
    std::string label() const;

    /// The run of this variant with these tunables, which have to be all of them; null: there is none.
    const RunRecord* run(const std::string& variant, const TunableValues& tunables) const;
    const RunRecord* run(const RunRecord& beside) const { return run(beside.variant, beside.tunables); }
    /// That run's time, where it was right and a GPU's; or null.
    const Timing* time(const std::string& variant, const TunableValues& tunables) const;
    const Timing* time(const RunRecord& beside) const { return time(beside.variant, beside.tunables); }

private:
    const Report* m_report;
    bool m_sameSize;
};

/// Reports measured earlier on a named GPU and shipped with the program (resources/recorded/README.md). Their numbers
/// stand only beside what they are of: nobody is given one without saying all of that.
class RecordedRuns {
public:
    RecordedRuns() = default;
    explicit RecordedRuns(std::vector<Report> reports, std::vector<std::string> problems = {})
        : m_reports(std::move(reports)), m_problems(std::move(problems)) {}

    /// Those of a task, the nearest in size first, the newest of equals.
    std::vector<RecordedSource> of(const RecordedTask& task, RecordedFigure figure) const;
    /// Of a GPU the ceilings are the same whatever it ran: the newest report that has any; of `device` alone unless
    /// that is empty. Null: none.
    const Report* withLimits(const std::string& device = {}) const;

    bool empty() const { return m_reports.empty(); }
    /// To be told one by one.
    const std::vector<Report>& all() const { return m_reports; }
    /// A sentence for each file that is not a recorded run.
    const std::vector<std::string>& problems() const { return m_problems; }

private:
    std::vector<Report> m_reports;  ///< by path
    std::vector<std::string> m_problems;
};

/// Reads every *.json below `folder`. A missing folder holds nothing; a bad file costs itself alone. Never throws.
RecordedRuns loadRecorded(const std::filesystem::path& folder);

/// The recording of another device from which some row of a report has a time; nothing where none has, or `runs` is
/// null.
std::optional<RecordedSource> recordedBeside(const Report& report, const RecordedRuns* runs);

}  // namespace warplens::gpu
