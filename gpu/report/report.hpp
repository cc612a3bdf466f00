// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/origin.hpp"
#include "gpu/core/record.hpp"
#include "gpu/report/region_errors.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

struct Request;

/// What a report says of its input. Extents in pixels; spacing in mm.
struct InputFacts {
    std::string name;
    io::Shape shape;
    std::string type;        ///< as computed: "u8", "u16" or "f32"
    std::string sourceType;  ///< as in the file
    std::string format;
    std::int64_t bytes = 0;
    std::string hash;                ///< contentHash() of the grid
    std::vector<std::string> notes;  ///< what reading changed, one sentence each
};

/// One channel of a result. Extremes and mean leave NaN and infinity out; absent when nothing finite is there.
struct ChannelFacts {
    std::optional<double> minimum, maximum, mean;
    std::int64_t nonfinite = 0;
};

/// A run as a report holds it: a RunRecord whose picture is reduced to facts; counts and residuals stay.
struct ReportRun {
    RunRecord record;                    ///< its result has no picture, and it has no footprint
    std::vector<ChannelFacts> result;    ///< of the picture
    std::optional<double> displayMs{};   ///< what showing it in a pane took; absent where no window did
    std::vector<RegionErrors> errors{};  ///< against the double reference, where they were asked for
    std::string source{};                ///< the text of a kernel of the user's; empty: it is ours
};

/// A comparison without its pictures: what JSON stores and what CSV, Markdown, HTML and diff are made from.
struct Report {
    std::string version;
    Environment environment;
    InputFacts input;
    std::string family;
    ParameterValues parameters;
    std::vector<std::string> facts;
    DeviceInfo device;
    std::optional<Limits> limits;
    Work work;
    std::string plan;  ///< how the work was cut into slabs, or empty
    bool interrupted = false;
    std::vector<ReportRun> runs;
};

/// Keeps the texts of the user's kernels beside their runs.
void keepSources(Report& report, const Request& request);

/// The origin of each field of a run, by its name in JSON.
const std::map<std::string, Origin>& origins();

/// Summarises the result of a run, whose picture is needed no more then.
ReportRun reduce(const RunRecord& record);

/// Reduces a comparison to a report: hashes the input and summarises each result.
Report makeReport(const Comparison& comparison);
/// The same with runs that were reduced as they were done; those of the comparison are not looked at.
Report makeReport(const Comparison& comparison, std::vector<ReportRun> runs);

/// "fnv1a64w:" and 16 hexadecimal digits: FNV-1a over little-endian 64-bit words (the last one padded with zeros) of
/// type, extents, channels and values, each product folded by x ^= x >> 32. Tells inputs apart; no protection against
/// forgery.
std::string contentHash(const io::Grid& grid);

/// One entry a channel.
std::vector<ChannelFacts> summarise(const io::Grid& grid);

/// The JSON document of design.md, two spaces of indentation, or one line. Every number in it is finite.
std::string toJson(const Report& report, bool oneLine = false);

/// Reads a report back. Throws io::Error(unreadable) that begins with `where` and names the field at fault.
Report parseReport(const std::string& json, const std::string& where);

/// Reads a report from a file. Throws io::Error(unreadable).
Report loadReport(const std::string& path);

/// The same, or the reports of all cases of a benchmark (bench --report), without the row of `auto`, which is no rung.
std::vector<Report> loadReports(const std::string& path);

}  // namespace warplens::gpu
