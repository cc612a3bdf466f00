// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/text_table.hpp"
#include "gpu/report/timeline.hpp"
#include "gpu/run/transfer_benchmark.hpp"

#include <string>

namespace warplens::gpu {

/// "64 pictures of 64.0 MiB through convolution, constant, on NVIDIA H200".
std::string movementTitle(const TransferBenchmark& movement);
/// A row a way with its time, rates, exposed time and share of the floor.
TextTable movementTable(const TransferBenchmark& movement);
/// Table, what it is held against, and of a CPU that nothing follows.
std::string movementText(const TransferBenchmark& movement);

/// What a way's engines did. The row is ok.
Timeline timelineOf(const TransferBenchmark& movement, const MovementRow& row);
/// Of every way that is ok, in their order.
std::vector<NamedTimeline> timelinesOf(const TransferBenchmark& movement);

/// The JSON document of resources/schema/movement.schema.json.
std::string toJson(const TransferBenchmark& movement);

}  // namespace warplens::gpu
