// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

using PipelineClock = std::chrono::steady_clock;

/// One of the things that are done with every item, on threads of its own.
struct PipelineStage {
    std::string name;
    int workers = 1;  ///< one takes the items in their order; of several each takes the first that waits
    /// `worker` counts from 0. What it throws costs this item its further stages, and no other item anything.
    std::function<void(std::size_t item, int worker, const std::stop_token& stop)> work;
    std::vector<std::string> places{};  ///< where each worker works: a device; empty: they are all the same
};

/// How much is held at once. An item is in flight from its first stage until it was delivered.
struct PipelineBounds {
    std::size_t items = 1;   ///< in flight, at least 1; no queue between two stages is longer
    std::int64_t bytes = 0;  ///< of all items in flight, as `weight` says; 0: any. A single item may exceed it.
    /// Asked before an item's first stage and after each one, never for an item that a stage works on.
    std::function<std::int64_t(std::size_t item)> weight{};
};

/// A stage's work on an item.
struct WorkInterval {
    std::size_t item = 0, stage = 0;
    int worker = 0;  ///< of the stage, from 0
    PipelineClock::time_point begin, end;
};

/// What became of the items.
struct PipelineRun {
    std::size_t delivered = 0;            ///< the first so many; all of them unless it was stopped
    std::vector<WorkInterval> intervals;  ///< in the order in which they ended, those of failed items included
    PipelineClock::time_point begin, end;
};

/// Takes `items` items through the stages, several at once, and delivers them one after the other, in their order, on
/// the calling thread, with what a stage threw. After a stop no stage takes another item: what is in the middle of one
/// is waited for, the first items that have passed all stages are delivered, and the others are left as they are.
/// What `deliver` throws ends everything in the same way and is passed on. A single item starts no thread.
PipelineRun runPipeline(std::size_t items, const std::vector<PipelineStage>& stages, const PipelineBounds& bounds,
                        const std::function<void(std::size_t item, const std::exception_ptr& failure)>& deliver,
                        const std::stop_token& stop = {});

}  // namespace warplens::gpu
