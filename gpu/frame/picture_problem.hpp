// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/frame/library_entry.hpp"
#include "gpu/kernels/kernel_table.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

namespace warplens::gpu {

/// Throws Error(argument) where there is no picture `toDo`, "to filter"; one without values is enough if `emptyToo`.
void needPicture(const std::shared_ptr<const io::Grid>& input, const char* toDo, bool emptyToo = false);
/// Yet to be filled, with the input's place in space and what its file said.
std::shared_ptr<io::Grid> emptyLike(const io::Grid& input, const io::Shape& shape, io::PixelType type);

inline constexpr const char* kWithoutCuda = "this program was built without the CUDA device";

/// A problem on one picture, with the family's rows behind it. P is the problem itself; its posed() is what kernels
/// take, without where it lies, of which footprints are made, or a footprintOf() of its own.
template <class P, class Kernel, class Arguments, class Bound = double>
class PictureProblem : public Problem {
public:
    using Library = LibraryEntry<P, Arguments, Bound>;
    using Ladder = KernelTable<Kernel, Library>;

    std::string refusal(const Variant& variant, const TunableValues& tunables,
                        const DeviceInfo& device) const override {
        if (const Library* library = m_ladder.libraryOf(variant)) {
            if (library->run == nullptr && library->open == nullptr) return kWithoutCuda;
            return library->refusal == nullptr ? std::string() : library->refusal(self());
        }
        const Kernel* kernel = m_ladder.entryOf(variant, device);
        return kernel == nullptr ? kWithoutCuda : kernelRefusal(*kernel, tunables, device);
    }
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override {
        return tileOf(m_ladder.anyBuildOf(variant), tunables);
    }
    Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const override {
        return m_ladder.libraryOf(variant)->run(self(), milliseconds, stop);
    }

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    const Ladder& rows() const { return m_ladder; }
    virtual io::Shape outputShape() const { return m_input->shape(); }
    virtual io::PixelType outputType() const { return m_input->type(); }
    virtual std::shared_ptr<io::Grid> emptyOutput() const { return emptyLike(*m_input, outputShape(), outputType()); }

protected:
    PictureProblem(std::shared_ptr<const io::Grid> input, const Ladder& ladder, const char* toDo, bool emptyToo = false)
        : m_input(std::move(input)), m_ladder(ladder) {
        needPicture(m_input, toDo, emptyToo);
    }
    /// As refusal(), of a kernel that this program has.
    virtual std::string kernelRefusal(const Kernel& kernel, const TunableValues& tunables,
                                      const DeviceInfo& device) const = 0;

    /// What a block of a kernel covers.
    Footprint tileOf(const Kernel& kernel, const TunableValues& tunables) const {
        if constexpr (requires { self().footprintOf(kernel, tunables); })
            return self().footprintOf(kernel, tunables);
        else if constexpr (requires { kernel.footprint(tunables); })
            return kernel.footprint(tunables);
        else
            return kernel.footprint(self().posed(), tunables);
    }
    const P& self() const { return static_cast<const P&>(*this); }

    std::shared_ptr<const io::Grid> m_input;

private:
    const Ladder& m_ladder;
};

}  // namespace warplens::gpu
