// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/render/display_painter.hpp"
#include "gpu/run/live_steps.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace warplens::gpu {

/// One variant's result, seen before it was downloaded and verified.
struct Preview {
    RunRecord record;  ///< as of a run, without a result; unverified
    /// Whether the kernel ran for this preview; false: its result was there, and was looked at once more.
    bool computed = false;
    /// Absent when the variant's result does not lie on a device as a whole (a library's on the host, slabs, counts),
    /// when it is smaller than what is looked at, or when the record says why there is none.
    std::optional<render::Seen> seen;
};

/// The last previewed problem on one device: its result stays there until it is asked for or something else runs. Not
/// thread-safe.
class Live {
public:
    explicit Live(Device& device) : m_device(device), m_painter(device), m_behind(device) {}

    /// The steps behind a previewed one, with a picture of the host that has their geometry, and who describes them;
    /// none: it is drawn itself.
    struct Behind {
        const std::vector<Request>& steps;
        const io::Grid& like;
        LiveSteps::Describe describe;
    };
    /// Computes what `described` describes (rows.hpp), unless its result is there, and draws it, or what the steps
    /// behind it make of it. Throws Error.
    Preview preview(const std::shared_ptr<const Problem>& problem, const Variant& variant, const RunRecord& described,
                    Resident& resident, const std::shared_ptr<const render::Display>& display, const Behind& behind);
    /// The record of that preview with its result, which is given up here; absent unless it is of this problem, variant
    /// and these tunables. A GPU's kernel is timed once more, as its first launch may have loaded its code. Throws
    /// Error.
    std::optional<RunRecord> take(const Problem* problem, const RunRecord& described);
    /// Frees what lies on the device.
    void drop();

private:
    /// Computes and draws the rows that are seen alone, where that is much less than all and nothing ranks by the time;
    /// the result is not kept, and its record has no time: the part's would not be the picture's.
    std::optional<Preview> previewPart(const Problem& problem, const Variant& variant, const RunRecord& described,
                                       const render::Display& display);
    /// The kernel once, with what it took and what it was launched with.
    void pass(Session& session, const Variant& variant, RunRecord& record, const Resident& resident);
    bool holds(const Problem* problem, const RunRecord& described) const;
    void dropResult();

    Device& m_device;
    render::DisplayPainter m_painter;
    std::shared_ptr<const Problem> m_problem;  ///< outlives the session
    std::unique_ptr<Session> m_session;
    RunRecord m_record;
    LiveSteps m_behind;
};

}  // namespace warplens::gpu
