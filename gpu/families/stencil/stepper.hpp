// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/families/stencil/arguments.hpp"
#include "io/pixel_type.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace warplens::gpu::stencil {

/// Planes on a device: channel after channel, each width x height x depth, x fastest. A stepper's own may have padded
/// rows.
struct Extent {
    int width = 0, height = 0, depth = 1;
    int channels = 1;  ///< planes there are
    int stepped = 1;   ///< planes that are iterated, the first ones; the rest is carried along
    int pitch = 0;     ///< of a stepper's own planes, values from row to row; 0: the width

    int rowValues() const { return pitch > 0 ? pitch : width; }
    /// Values of a plane of the stepper's own.
    std::size_t planeValues() const {
        return static_cast<std::size_t>(rowValues()) * static_cast<std::size_t>(height) *
               static_cast<std::size_t>(depth);
    }
    std::size_t cells() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(depth);
    }
};

/// Takes steps of one operator on fields that lie on a device, with one kernel variant at a time. The planes it was
/// loaded with are never written: the first step reads them, later ones go back and forth between two buffers of its
/// own. Launches are asynchronous where the device is; every 40 ms or so it waits for them, so that a stop request is
/// soon heard. Not thread-safe. Every member throws Error.
class Stepper {
public:
    /// Allocates two f32 buffers of the extent. The device must outlive the stepper.
    Stepper(Device& device, const Extent& extent, Operator op);

    /// Takes the memory for a copy of the start now; else load() does when it needs it.
    void reserveStart();
    /// Goes on with fields of another extent, no larger than the one it was made for; load() follows.
    void place(const Extent& extent, Operator op);
    /// Takes planes of this extent as the fields of step 0. They must stay alive and unchanged, unless they had to be
    /// copied: integers are converted to f32, held regions get their value, and rows are padded.
    void load(const Buffer& planes, io::PixelType type);
    /// Chooses the kernel. The variant must not refuse the operator's pattern.
    void prepare(const Variant& variant, const TunableValues& tunables);
    /// Back to step 0.
    void restart();

    void advance(std::int64_t steps);
    /// Steps that the next pass takes of so many.
    int stepsOfPass(std::int64_t left) const;
    /// Launches slices `first` to `last`, excluded, of the next pass, of so many steps, into next(): of a kernel that
    /// takesSlices, and a pattern that reaches along z. It may be called later, while the stepper stays where it is.
    std::function<void()> slices(int steps, std::int64_t first, std::int64_t last);
    /// What the next pass writes.
    const Buffer& next() const { return m_now == &m_buffers[0] ? m_buffers[1] : m_buffers[0]; }
    /// Goes on as if the next pass were launched: what slices() gave is, or will be.
    void passed(int steps);
    /// restart() and advance(steps). From the second time on the launches of a small field go through a launch graph
    /// where the device has them: one by one they cost more than their work.
    void run(std::int64_t steps);
    /// Takes `steps` >= 1 steps, the last one by itself, and waits. Returns the largest change of a cell in that step;
    /// NaN when a change is none.
    double advanceAndCompare(std::int64_t steps);
    /// Largest change of a cell since the pass before, which is that of a step when the last advance() was by one.
    /// Waits. Not with padded rows, whose padding no step writes; nor advanceAndCompare().
    double change();

    /// The fields as they are now: f32, all channels, rows of the extent's pitch.
    const Buffer& current() const { return *m_now; }
    std::int64_t step() const { return m_step; }
    const Extent& extent() const { return m_extent; }
    const Operator& op() const { return m_op; }

    /// Fills both buffers with a pattern that is no result; to be followed by restart().
    void poison();
    /// Bytes that a stepper of this extent allocates, the start's copy included when there is one.
    static std::int64_t bytesFor(const Extent& extent, bool copiesStart);

private:
    /// The launches of `steps` steps from the start on, and where they leave the stepper.
    struct Recorded {
        std::unique_ptr<LaunchGraph> graph;
        std::int64_t steps = -1;  ///< of the run before, by which the graph is made when it comes again
        const Buffer* before = nullptr;
        const Buffer* now = nullptr;
    };

    Pass describe(int steps) const;
    /// With `findsChange` the kernel leaves the step's largest change in m_result.
    void pass(int steps, bool findsChange = false);
    double fetchChange();
    void keepPace(std::size_t cellSteps);
    void carryChannels();

    Device& m_device;
    Extent m_extent;
    Operator m_op;
    Buffer m_own, m_padded, m_buffers[2], m_result;
    const Buffer* m_start = nullptr;
    const Buffer* m_before = nullptr;  ///< what the last pass read
    const Buffer* m_now = nullptr;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
    std::int64_t m_step = 0;
    double m_slice;  ///< cell steps between two waits
    double m_sinceWait = 0;
    std::map<std::pair<std::string, TunableValues>, Recorded>
        m_graphs;  ///< by variant and tunables: rows may take turns
    Recorded* m_recorded = nullptr;
    std::chrono::steady_clock::time_point m_waited{};
};

}  // namespace warplens::gpu::stencil
