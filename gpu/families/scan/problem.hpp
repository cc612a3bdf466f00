// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/partitionable.hpp"
#include "gpu/families/scan/arguments.hpp"
#include "gpu/families/scan/task.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <mutex>

namespace warplens::gpu::scan {

/// What libraries see of a task.
struct LibraryCase : ScanOptions {
    std::uint64_t input = 0, output = 0;
    ScanArguments sums{};
    CompactionArguments picks{};
    Integral integral{};
};

class ScanProblem;
using ScanFrame = PictureProblem<ScanProblem, KernelEntry, LibraryCase>;

/// The rows of variants.inc with their kernels and libraries.
const ScanFrame::Ladder& ladder();
/// What stands before and after a scan, as built for a device; null when there is no such build.
const StepsEntry* stepsOf(const DeviceInfo& device);

/// One picture and what is made of its running sums.
class ScanProblem final : public ScanFrame, public Partitionable {
public:
    ScanProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const Partitionable* inPieces() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    std::string indivisibleReason() const override;
    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    std::int64_t halo() const override;
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;

    Footprint footprintOf(const KernelEntry& entry, const TunableValues& tunables) const;
    const ScanOptions& posed() const { return m_asked; }
    io::PixelType outputType() const override { return outputTypeOf(m_asked, m_input->type()); }
    /// Channels that are worked on; what follows them is copied.
    int channels() const { return m_asked.channelsOf(m_input->shape().channels); }
    int slices() const { return static_cast<int>(m_input->shape().depth) * channels(); }
    /// Of what the task sums: 64 bits for windows that may hold more than 32.
    SumType sumType() const;
    Lines linesAlong(Along along) const;
    /// What is asked for; of an integral picture the rows, of a compaction marks along all values.
    Along firstAlong() const;
    Bins bins() const;
    /// Of box and threshold, yet without buffers.
    Windows windows() const;
    /// A compaction has none.
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    /// A part of a picture whose values lie in `range`, so that it is computed as the whole is.
    ScanProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values, const ValueRange* range);

    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    std::string refusalOfTask(const KernelEntry& entry) const;
    /// What a compaction keeps, by the definition; made once.
    const Table& expectedTable() const;

    ParameterValues m_values;  ///< for pieces
    ScanOptions m_asked;
    ValueRange m_range;  ///< of windows of floats
    mutable std::once_flag m_tableMade;
    mutable Table m_table;
};

}  // namespace warplens::gpu::scan
