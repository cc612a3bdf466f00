// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/families/convolution/arguments.hpp"
#include "gpu/families/convolution/filter.hpp"
#include "gpu/families/convolution/magnitude.hpp"
#include "gpu/families/convolution/parameters.hpp"
#include "gpu/families/convolution/verify.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::convolution {

class ConvolutionProblem;
using ConvolutionFrame = PictureProblem<ConvolutionProblem, KernelEntry, Arguments, Bound>;

/// The rows of variants.inc with their kernels and libraries.
const ConvolutionFrame::Ladder& ladder();
/// Filters pictures with a matrix of weights, as correlation. On a volume the filter works slice by slice, or
/// in three dimensions.
const Family& family();

/// One picture and one filter. A picture can be had in pieces; volumes go in slabs (slab_session.hpp).
class ConvolutionProblem final : public ConvolutionFrame,
                                 public Partitionable,
                                 public MultiDeviceProblem,
                                 public Portable {
public:
    ConvolutionProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    double boundFactor(const Variant& variant) const override;
    bool widerBoundsShow() const override;
    /// Threads that march take fewer rows where a picture would otherwise leave too few blocks.
    TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                           const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& computed, const Variant& variant, std::stop_token stop) const override;
    const Partitionable* inPieces() const override { return this; }
    const MultiDeviceProblem* overDevices() const override { return this; }
    const Portable* portable() const override { return this; }
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    std::unique_ptr<PortableSession> openPortable(const Variant& variant, const TunableValues& tunables) const override;

    std::string singleDeviceReason() const override;
    std::unique_ptr<Session> openOver(const std::vector<Device*>& devices, Resident& resident,
                                      HaloExchangeMode way) const override;

    const std::shared_ptr<const io::Grid>& cutInput() const override { return m_input; }
    std::int64_t halo() const override { return (cutAxis() == 2 ? m_filter.depth : m_filter.height) / 2; }
    bool wraps() const override { return m_border == Border::wrap; }
    std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const override;
    std::unique_ptr<PartitionMerger> emptyResults() const override;

    Footprint footprintOf(const KernelEntry& kernel, const TunableValues& tunables) const;
    const Filter& filter() const { return m_filter; }
    /// Whether the filter reaches across slices; else every slice is a picture of its own.
    bool volume() const { return m_volume; }
    const std::optional<Separation>& separation() const { return m_separation; }
    Border border() const { return m_border; }
    io::PixelType outputType() const override { return m_outputType; }
    double offset() const { return m_offset; }
    /// Values from row to row that a kernel works with where it pads rows on the device, else the width: rows then
    /// begin at whole sectors of every type.
    std::int64_t pitchFor(const KernelEntry& entry) const;
    /// Channels that are filtered; the rest is copied.
    int filteredChannels() const { return m_channels; }
    /// What launchers are told, without buffers and planes. Points into this problem.
    Arguments arguments() const;
    /// Dynamic shared memory of a block of a kernel's.
    std::int64_t sharedBytes(const Variant& kernel, const TunableValues& tunables) const;
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    /// As for a kernel of this entry.
    Arguments argumentsOf(const KernelEntry& entry) const;
    Bound boundOf(const Variant& variant) const;
    /// Why values or weights are beyond what the kernel's own number formats hold, or empty.
    std::string beyondReach(const KernelEntry& entry) const;
    /// Dynamic shared memory of a block.
    std::int64_t sharedBytes(const KernelEntry& entry, const TunableValues& tunables) const;

    ParameterValues m_values;  ///< for pieces
    Filter m_filter;
    bool m_volume = false;
    std::optional<Separation> m_separation;
    double m_residualUlp = 0;
    Border m_border = Border::zero;
    io::PixelType m_outputType = io::PixelType::f32;
    double m_offset = 0;
    int m_channels = 1;
    Magnitude m_magnitude;
    std::unique_ptr<Verifier> m_verifier;
};

}  // namespace warplens::gpu::convolution
