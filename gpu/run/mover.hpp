// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/device/lane.hpp"
#include "gpu/run/transfer_benchmark.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What runs on every picture.
struct TransferWorkload {
    std::shared_ptr<const io::Grid> input{};
    std::string family{};
    ParameterValues parameters{};
    std::shared_ptr<const Problem> problem{};
    const Variant* variant = nullptr;
    TunableValues tunables{};
    std::size_t pictures = 0;
    std::size_t sentBytes = 0, madeBytes = 0;  ///< of a picture, plane after plane
};

/// A place on the device through which items go one after the other, and the stretch of a picture that it takes.
struct MovementSlot {
    std::shared_ptr<const Problem> problem{};
    Resident resident{};
    std::unique_ptr<Session> session{};
    std::size_t from = 0, sent = 0;  ///< bytes of the host's picture
    std::size_t kept = 0;            ///< bytes ahead of them, which end what lies in `before`
    const MovementSlot* before = nullptr;
    std::size_t skip = 0;          ///< bytes of the device's result before its own
    std::size_t to = 0, made = 0;  ///< bytes of the host's result

    const Buffer& result() const { return *session->picture()->planes; }
};

/// How many stages may be queued when `passed` of them took so many seconds: as many as fit the time in which a stop is
/// to be heard, and enough to keep every engine busy.
std::size_t stagesAhead(double seconds, std::size_t passed);

/// Slots and lanes of one way, and what was given to them. Unless a way says otherwise, each picture is an item, and
/// item k goes through slot k modulo their number.
class Mover {
public:
    /// The host's pictures lie at `sent` and `made`, one behind the other; null where slots are the place. All outlive
    /// it.
    Mover(Device& device, const TransferWorkload& work, const std::byte* sent, std::byte* made);

    Device& device() { return m_device; }
    const TransferWorkload& work() const { return m_work; }

    /// Opens a session for the problem; a whole picture goes through it, unless the caller says otherwise.
    MovementSlot& addSlot(std::shared_ptr<const Problem> problem, Placement placement = Placement::device);
    void openLanes(int count, StreamKind kind = StreamKind::own);
    /// Another item: what of this picture, and of those after it, the slot takes.
    void addItem(std::size_t slot, std::size_t picture) { m_items.push_back({slot, picture}); }
    std::size_t items() const { return m_items.empty() ? m_work.pictures : m_items.size(); }
    std::size_t slots() const { return m_slots.size(); }
    std::size_t slotOf(std::size_t item) const { return m_items.empty() ? item % m_slots.size() : m_items[item].slot; }
    MovementSlot& slot(std::size_t item) { return *m_slots[slotOf(item)]; }
    Lane& lane(std::size_t i) { return *m_lanes[i]; }
    int lanes() const { return static_cast<int>(m_lanes.size()); }

    /// Gives a lane one thing to do, and returns when it is done.
    std::shared_ptr<Moment> upload(int lane, std::size_t item);
    std::shared_ptr<Moment> compute(int lane, std::size_t item);
    std::shared_ptr<Moment> download(int lane, std::size_t item);
    /// The three without their moments, as a graph.
    void recordGraphs();
    void launchGraph(int lane, std::size_t item);
    /// The host touches the results of placed slots once all kernels are done.
    void readPlaced();

    /// What `put` gives to the lanes, done to the end. `clocked`: with the spans of its stages, whose events take up to
    /// a tenth more time.
    struct Sample {
        double ms = 0;
        std::vector<MovementSpan> spans{};
    };
    Sample sample(void (*put)(Mover&), bool clocked);
    std::vector<MovementItem> describeItems() const;

private:
    struct Given {
        MovementSpan span;
        std::shared_ptr<Moment> begin, end;
    };
    struct Item {
        std::size_t slot = 0, picture = 0;
    };
    std::size_t pictureOf(std::size_t item) const { return m_items.empty() ? item : m_items[item].picture; }
    void giveUpload(int lane, std::size_t item);
    void giveCompute(int lane, std::size_t item);
    void giveDownload(int lane, std::size_t item);
    /// Waits until there is room in the queues.
    void keepPace();
    std::shared_ptr<Moment> stage(MovementEngine engine, int lane, std::size_t item, const std::function<void()>& give);

    Device& m_device;
    StreamDevice& m_overlapping;
    const TransferWorkload& m_work;
    const std::byte* m_sent;
    std::byte* m_made;
    std::vector<Item> m_items;  ///< empty: pictures in turn
    std::vector<std::unique_ptr<MovementSlot>> m_slots;
    std::vector<std::unique_ptr<Lane>> m_lanes;  // end before what they use
    std::vector<std::unique_ptr<LaunchGraph>> m_graphs;
    bool m_clocked = false;
    std::shared_ptr<Moment> m_begin;
    std::vector<Given> m_given;
    std::size_t m_passed = 0;  ///< of those given, waited for
    std::size_t m_ahead = 0;   ///< that may be queued beside them
    std::vector<MovementSpan> m_hostSpans;
    std::chrono::steady_clock::time_point m_started{};
};

}  // namespace warplens::gpu
