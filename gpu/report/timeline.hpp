// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/run/pipeline.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// What a pipeline's workers did when. Times are seconds since it began, on the host's steady clock.
struct Timeline {
    struct Stage {
        std::string name;
        int workers = 1;
    };
    struct Span {
        std::size_t item = 0, stage = 0;
        int worker = 0;
        double begin = 0, end = 0;
    };
    /// A part of a stage's work on an item: its duration was measured, where it begins was not.
    struct Part {
        std::size_t item = 0;
        std::string name;  ///< "upload"
        double begin = 0, end = 0;
        bool modelled = false;  ///< the duration too: a median as often as it was sampled
    };

    std::vector<std::string> items{};   ///< their names
    std::vector<std::int64_t> bytes{};  ///< of each item that came through, decoded; 0 of the others
    std::vector<Stage> stages{};
    std::vector<Span> spans{};  ///< measured
    std::vector<Part> parts{};  ///< those of one name do not overlap
    double seconds = 0;         ///< of the whole
    std::size_t done = 0;       ///< items that came through
};

/// What a run of a kernel took.
struct TimedRun {
    RunRecord run;  ///< as timesOf() leaves it
    PipelineClock::time_point begin, end;
    bool toTheEnd = true;  ///< its download ended it
};
/// The record without what is large.
RunRecord timesOf(const RunRecord& run);

/// One of the things that went through a pipeline.
struct TimelineItem {
    std::string name;
    bool done = false;       ///< it came through
    std::int64_t bytes = 0;  ///< decoded
    std::vector<TimedRun> runs{};
};
/// `items`: the pipeline's, in its order.
Timeline makeTimeline(const PipelineRun& run, const std::vector<PipelineStage>& stages,
                      const std::vector<TimelineItem>& items);

/// Puts the record's upload, layout, kernel and download one behind the other, as they run in one stream, into the
/// seconds from `begin` to `end`: to their end, or to their begin where more work follows them. What does not fit (a
/// median stands for several kernels) is cut.
void addParts(Timeline& timeline, std::size_t item, const RunRecord& run, double begin, double end, bool toTheEnd);

/// How busy a stage was.
struct StageShare {
    std::string name;
    int workers = 1;
    double busySeconds = 0;     ///< of all its workers together
    double share = 0;           ///< 0..1, of its workers' whole time
    double exposedSeconds = 0;  ///< some worker of it works, none of the critical stage does; 0 of that one
    double aloneRate = 0;       ///< items a second, if it never had to wait
};
std::vector<StageShare> stageShares(const Timeline& timeline);
/// The stage that limits: the largest share, the first of several. There must be a stage.
std::size_t criticalOf(const std::vector<StageShare>& shares);

/// When no worker of the stage works, from the begin of the whole to its end, in order, in seconds.
std::vector<std::pair<double, double>> idleTimes(const Timeline& timeline, std::size_t stage);

/// Of the pictures that came through, over the whole time.
struct TimelineRates {
    double pictures = 0;   ///< per second
    double gigabytes = 0;  ///< decoded, per second; 0: not known
};
TimelineRates ratesOf(const Timeline& timeline);

/// "18.7 pictures per second, 0.0785 GB/s (measured): 60 in 3.21 s; critical stage: compute, 1 worker, busy 93 % of the
/// time; exposed: decode 12.0 ms, encode 96.0 ms".
std::string summaryOf(const Timeline& timeline);

/// Trace events as Chrome and Perfetto open them: a track per worker of a stage, one per name of the parts, an event a
/// span with the item's name; microseconds. Shares, exposed times and origins are in "otherData". Names that are not
/// UTF-8 are repaired.
std::string toChromeTrace(const Timeline& timeline);

/// What toChromeTrace() wrote. Throws Error(argument) that begins with `where` and says what is wrong.
Timeline fromChromeTrace(const std::string& json, const std::string& where);

}  // namespace warplens::gpu
