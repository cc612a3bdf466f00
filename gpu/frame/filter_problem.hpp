// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/checked_rows.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_kernel.hpp"
#include "gpu/frame/picture_problem.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/kernels/block_limits.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A filter that makes a picture of the input's shape and type in one launch, and says of each value what it should be.
/// What is not so simple about a family it overrides, or is a PictureProblem.
template <class P, class Kernel = PictureKernel, class Arguments = PictureArguments>
class FilterProblem : public PictureProblem<P, Kernel, Arguments> {
public:
    using PictureProblem<P, Kernel, Arguments>::PictureProblem;

    /// Of the output, unrounded. May be asked by several threads.
    virtual double exactAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const = 0;
    /// How far a value may be off, beyond the rounding of integers.
    virtual double boundAt(std::int64_t, std::int64_t, std::int64_t, int) const { return 0; }

    Work work() const override {
        const auto bytes = static_cast<std::int64_t>(this->m_input->bytes());
        return {.traffic = Traffic::copy, .bytesRead = bytes, .bytesWritten = bytes};
    }
    Traits traits() const override {
        const auto values = static_cast<double>(this->m_input->shape().values());
        return {.kinds = {{"type", io::nameOf(this->m_input->type())}}, .sizes = {{"values", {values, 0.5}}}};
    }
    std::vector<std::string> facts() const override { return {}; }
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override {
        // Channels that lie pixel by pixel are there once more while they are sorted.
        const int copies = this->m_input->shape().channels > 1 ? 3 : 2;
        needMemory(device, resident, *this->m_input, static_cast<std::int64_t>(this->m_input->bytes()) * copies);
        keepResident(device, this->m_input, resident);
        return std::make_unique<PictureSession<P, Arguments>>(static_cast<const P&>(*this), device, resident);
    }
    Verification verify(const Result& result, const Variant&, std::stop_token stop) const override {
        const io::Shape& s = result.picture->shape();
        return checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c)
                    judge.computed({x, y, z}, c, exactAt(x, y, z, c), boundAt(x, y, z, c));
        });
    }

protected:
    std::string kernelRefusal(const Kernel& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override {
        if constexpr (requires { kernel.refusal(this->self().posed()); })
            if (const char* why = kernel.refusal == nullptr ? nullptr : kernel.refusal(this->self().posed()))
                return why;
        const Footprint tile = this->tileOf(kernel, tunables);
        std::string why = refusalOfBlock(tile, 0, device);
        if (!why.empty() || tile.order == Order::rows) return why;
        const std::int64_t slices = this->m_input->shape().depth * this->m_input->shape().channels;
        if (slices > kMostBlocksAcross)
            return std::to_string(slices) + " slices in all; a grid of blocks has at most 65,535";
        return refusalOfRows(this->outputShape().height, tile.tileHeight);
    }
};

}  // namespace warplens::gpu
