// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/moments.hpp"
#include "gpu/core/record.hpp"
#include "gpu/run/pipeline.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// What a pipeline's workers, or a device's engines, did when. Times are seconds since it began.
struct Timeline {
    struct Stage {
        std::string name;
        int workers = 1;
        std::vector<std::string> places{};  ///< where each worker works: a device; empty: they are all the same

        /// "decode 2"; "compute 2, cuda:1"; of a single worker "decode".
        std::string nameOf(int worker) const;
    };
    struct Span {
        std::size_t item = 0, stage = 0;
        int worker = 0;
        double begin = 0, end = 0;
    };
    /// A part of a stage's work on an item: its duration was measured, where it begins may be modelled.
    struct Part {
        std::size_t item = 0;
        std::string name;  ///< "upload"
        double begin = 0, end = 0;
        bool modelled = false;  ///< the duration too: a median as often as it was sampled
        int worker = 0;         ///< of the stage
    };

    std::vector<std::string> items{};   ///< their names
    std::vector<std::int64_t> bytes{};  ///< of each item that came through, decoded; 0 of the others
    std::vector<Stage> stages{};
    std::vector<Span> spans{};  ///< measured
    std::vector<Part> parts{};  ///< those of one name and worker do not overlap
    double seconds = 0;         ///< of the whole
    std::size_t done = 0;       ///< items that came through
    std::string clock = "host's steady clock";
    bool variants = false;  ///< items are the variants of a comparison; else pictures
};

/// One of several that stand beside each other.
struct NamedTimeline {
    std::string name;
    Timeline timeline;
};

/// What a run of a kernel took.
struct TimedRun {
    RunRecord run;  ///< as timesOf() leaves it
    PipelineClock::time_point begin, end;
    bool toTheEnd = true;                   ///< its download ended it
    std::vector<StageLog::Span> moments{};  ///< when its stages were, where that was heard; empty: it is modelled
    int worker = 0;                         ///< of its stage, whose row its parts are in
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
void addParts(Timeline& timeline, std::size_t item, const RunRecord& run, double begin, double end, bool toTheEnd,
              int worker = 0);

/// A row of a comparison, and what was done for it when.
struct RowMoments {
    std::string id;
    std::vector<StageLog::Span> spans{};
};
/// The rows as items, in the order in which they ran; a stage that none of them has is left out. What was done between
/// two stages is not drawn. Where nothing was done there are no stages.
Timeline makeTimeline(const std::vector<RowMoments>& rows, StageLog::Clock::time_point begin,
                      StageLog::Clock::time_point end);

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
/// time; exposed: decode 12.0 ms, encode 96.0 ms"; where a stage has places also how many
/// each of them took.
std::string summaryOf(const Timeline& timeline);

/// Trace events as Chrome and Perfetto open them: a track per worker of a stage, one per name of the parts of each, an
/// event a span with the item's name; microseconds. Shares, exposed times and origins are in "otherData". Names that
/// are not UTF-8 are repaired.
std::string toChromeTrace(const Timeline& timeline);
/// Several, each a process of its name.
std::string toChromeTrace(const std::vector<NamedTimeline>& timelines);

/// What toChromeTrace() wrote; a single one has no name. Throws Error(argument) that begins with `where` and says what
/// is wrong.
std::vector<NamedTimeline> fromChromeTrace(const std::string& json, const std::string& where);

}  // namespace warplens::gpu
