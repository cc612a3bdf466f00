// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/pieces.hpp"
#include "gpu/families/scan/arguments.hpp"

#include <mutex>

namespace warplens::gpu::scan {

/// One picture and what is made of its running sums.
class ScanProblem final : public Problem, public InPieces {
public:
    ScanProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const InPieces* inPieces() const override { return this; }

    std::string onlyWhole() const override;
    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    std::int64_t halo() const override;
    std::unique_ptr<Problem> pieceOf(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PieceResults> emptyResults() const override;

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Asked& asked() const { return m_asked; }
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
    /// An output yet to be filled, with its place in space and what the file said. A compaction has none.
    std::shared_ptr<io::Grid> emptyOutput() const;

private:
    /// A part of a picture whose values lie in `range`, so that it is computed as the whole is.
    ScanProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values, const ValueRange* range);

    std::string refusalOfKernel(const KernelEntry& entry) const;
    /// What a compaction keeps, by the definition; made once.
    const Table& expectedTable() const;

    std::shared_ptr<const io::Grid> m_input;
    ParameterValues m_values;
    Asked m_asked;
    ValueRange m_range;  ///< of windows of floats
    mutable std::once_flag m_tableMade;
    mutable Table m_table;
};

}  // namespace warplens::gpu::scan
