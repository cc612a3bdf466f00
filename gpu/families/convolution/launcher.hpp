// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/problem.hpp"

#include <cstdint>

namespace warplens::gpu::convolution {

/// Runs a problem's kernels on buffers that hold the whole of it or a slab. What every session of the family needs.
class Launcher {
public:
    /// Sends the weights. The problem must outlive the launcher.
    Launcher(const ConvolutionProblem& problem, Device& device);

    /// What follows works on `slices` output slices; the input buffer holds `lead` more at each end. Rows of `pitch`
    /// values; 0: of the width.
    void place(const Buffer& input, const Buffer& output, std::int64_t slices, std::int64_t lead,
               std::int64_t pitch = 0);
    /// Comes after the largest placement: scratch is made for it.
    void prepare(const Variant& variant, const TunableValues& tunables);
    void launch();
    /// Brings a channel that is kept from the input's plane straight to the output's, whose rows are not padded.
    void copyAlpha();

private:
    const ConvolutionProblem& m_problem;
    Device& m_device;
    Buffer m_filter, m_scratch;
    Arguments m_arguments;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
};

/// Bytes that a launcher takes itself for `slices` output slices with a halo at each end: scratch and weights.
std::int64_t ownBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo);

/// Bytes on the device for `slices` output slices with a halo at each end: planes, scratch, weights and what the change
/// of layout takes.
std::int64_t deviceBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo);

}  // namespace warplens::gpu::convolution
