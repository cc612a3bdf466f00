// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/piece_session.hpp"

#include "gpu/core/partitionable.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/run/share_out.hpp"
#include "gpu/run/slab_session.hpp"
#include "gpu/run/slabs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace warplens::gpu {
namespace {

/// How many pieces a refusal of the whole suggests.
std::int64_t piecesFor(const Error& why, std::int64_t lines) {
    const auto* refusal = dynamic_cast<const MemoryRefusal*>(&why);
    if (refusal == nullptr) return 2;
    if (refusal->budget() <= 0) return lines;
    return std::clamp<std::int64_t>(refusal->needs() / refusal->budget() + 1, 2, std::max<std::int64_t>(2, lines));
}

/// What pieces have made, in whatever order they are done, handed on in that of the lines.
class InOrder {
public:
    explicit InOrder(PartitionMerger& results) : m_results(results) {}
    void add(std::int64_t i, Result part, const Partition& piece) {
        const std::lock_guard lock(m_mutex);
        m_waiting.emplace(i, std::pair(std::move(part), piece));
        for (auto next = m_waiting.begin(); next != m_waiting.end() && next->first == m_next; ++m_next) {
            m_results.add(next->second.first, next->second.second);
            next = m_waiting.erase(next);
        }
    }

private:
    PartitionMerger& m_results;
    std::mutex m_mutex;
    std::map<std::int64_t, std::pair<Result, Partition>> m_waiting;
    std::int64_t m_next = 0;
};

class PieceSession final : public Session {
public:
    /// On devices, of which each takes the next piece when it is free. As many pieces as devices stay where they lie.
    PieceSession(const Partitionable& how, const std::vector<Device*>& devices, Resident& resident, std::int64_t pieces)
        : m_how(how), m_devices(devices), m_resident(resident), m_times(devices.size()) {
        resident = {};
        resident.fresh = true;
        for (Device* device : devices) m_seats.emplace_back().device = device;
        m_axis = how.cutAxis();
        m_all = extentAlong(how.cutInput()->shape(), m_axis);
        cut(pieces);
        // Whether there is memory for a piece at all is known before any row runs.
        fitting([this] { openFirst(); });
        if (!stay()) close();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        if (variant.kind == Variant::Kind::library)
            throw Error(Error::Kind::unsupported,
                        std::string(m_devices.size() > 1 ? "several devices share the picture"
                                                         : "the picture does not fit as a whole") +
                            ", and a library's own order of sums is not known to keep the bits in pieces: take a "
                            "kernel, or " +
                            (m_devices.size() > 1 ? "name one device" : "raise the memory limit"));
        m_variant = &variant;
        m_tunables = tunables;
        for (Seat& seat : m_seats) seat.prepared = false;
        fitting([this] { openFirst(); });
    }

    /// On the pieces that lie there.
    void launch() override {
        for (Seat& seat : m_seats)
            if (seat.inner) seat.inner->launch();
    }

    double pass(Device&) override {
        fitting([this] { once(); });
        m_wanted = false;
        return m_took.kernels;
    }

    std::string plan() const override {
        return pieces().sentence() +
               sharedBy(*slabs(), stay() ? "a slab each" : "each takes the next slab when it is free");
    }
    std::optional<SlabMap> slabs() const override { return mapOf(pieces(), m_devices, m_owners); }

    void poisonOutput() override { m_wanted = true; }

    Result download(double& layoutMs, double& downloadMs) override {
        layoutMs += m_took.interleave;
        downloadMs += m_took.download;
        return std::exchange(m_result, {});
    }

private:
    /// A device and the piece that lies there, in the order in which they depend on each other.
    struct Seat {
        Device* device = nullptr;
        std::int64_t index = -1;  ///< of the piece
        bool prepared = false;    ///< for the variant
        std::int64_t bytes = 0;   ///< that pieces there took at most
        Partition piece{};
        Resident own{};
        std::unique_ptr<Problem> problem{};
        std::unique_ptr<Session> inner{};

        void close() {
            inner.reset();
            problem.reset();
            own = {};
            index = -1;
            prepared = false;
        }
    };

    std::int64_t count() const { return (m_all + m_lines - 1) / m_lines; }
    /// Whether every piece stays on its device.
    bool stay() const { return count() <= static_cast<std::int64_t>(m_seats.size()); }
    SlabPlan pieces() const {
        return {.depth = m_all, .slices = m_lines, .halo = m_how.halo(), .bytes = m_bytes, .axis = m_axis};
    }
    void cut(std::int64_t pieces) { m_lines = std::max<std::int64_t>(1, (m_all + pieces - 1) / pieces); }

    /// Does the work, with smaller pieces as long as memory is short.
    template <class F>
    void fitting(F work) {
        for (;;) {
            try {
                return work();
            } catch (const Error& error) {
                close();
                if (error.kind() != Error::Kind::outOfMemory) throw;
                if (m_lines == 1) refuse(error);
                const std::int64_t before = m_lines;
                for (std::int64_t pieces = count() + std::max<std::int64_t>(1, count() / 4); m_lines == before;
                     ++pieces)
                    cut(pieces);
            }
        }
    }

    [[noreturn]] void refuse(const Error& error) const {
        const std::string line = m_axis == 2 ? "one slice" : m_axis == 1 ? "one row" : "one pixel";
        const std::string what = m_how.halo() > 0 ? line + " with a halo of " + std::to_string(m_how.halo()) : line;
        if (const auto* refusal = dynamic_cast<const MemoryRefusal*>(&error))
            refuseMemory(m_devices.front()->info().id, what, refusal->needs(), refusal->budget());
        throw Error(Error::Kind::outOfMemory, what + " does not fit, either: " + error.what());
    }

    void close() {
        m_owners.clear();
        for (Seat& seat : m_seats) {
            seat.close();
            seat.bytes = 0;
        }
    }

    /// A piece on every device: its own, or, where pieces come and go, one from the middle, which has a halo on both
    /// sides.
    void openFirst() {
        const std::int64_t last = count() - 1, middle = count() / 2;
        parallelForEach(
            m_seats.size(), std::min(count(), static_cast<std::int64_t>(m_seats.size())),
            [&](std::size_t seat, std::int64_t i) { open(m_seats[seat], stay() ? i : std::min(last, middle + i)); });
        noteBytes();
    }

    void noteBytes() {
        m_bytes = 0;
        for (const Seat& seat : m_seats) m_bytes = std::max(m_bytes, seat.bytes);
    }

    void open(Seat& seat, std::int64_t i) const {
        const bool fresh = seat.index != i;
        if (fresh) seat.close();
        const std::int64_t held = seat.device->allocatedBytes();
        if (fresh) {
            const std::int64_t halo = m_how.halo();
            seat.piece.first = i * m_lines;
            seat.piece.lines = std::min(m_lines, m_all - seat.piece.first);
            std::int64_t begin = seat.piece.first - halo, end = seat.piece.first + seat.piece.lines + halo;
            if (!m_how.wraps()) {
                begin = std::max<std::int64_t>(0, begin);
                end = std::min(m_all, end);
            }
            seat.piece.before = seat.piece.first - begin;
            seat.problem = m_how.makePartition(linesOf(*m_how.cutInput(), m_axis, begin, end - begin, m_how.wraps()),
                                               seat.piece.first);
            seat.inner = seat.problem->open(*seat.device, seat.own);
            seat.index = i;
        }
        prepareSeat(seat);
        const std::int64_t more = seat.device->allocatedBytes() - held;
        seat.bytes = fresh ? std::max(seat.bytes, more) : seat.bytes + more;
    }

    void prepareSeat(Seat& seat) const {
        if (m_variant == nullptr || seat.prepared) return;
        seat.inner->prepare(*m_variant, m_tunables);
        seat.prepared = true;
    }

    void once() {
        for (SlabTimes& times : m_times) times = {};
        m_owners.assign(static_cast<std::size_t>(count()), 0);
        const auto results = m_wanted ? m_how.emptyResults() : nullptr;
        std::optional<InOrder> inOrder;
        if (results) inOrder.emplace(*results);
        parallelForEach(m_seats.size(), count(), [&](std::size_t at, std::int64_t i) {
            Seat& seat = m_seats[at];
            SlabTimes& times = m_times[at];
            open(seat, i);
            times.upload += seat.own.uploadMs;
            times.deinterleave += seat.own.layoutMs;
            if (inOrder) seat.inner->poisonOutput();
            times.kernels += seat.inner->pass(*seat.device);
            if (inOrder) inOrder->add(i, seat.inner->download(times.interleave, times.download), seat.piece);
            m_owners[static_cast<std::size_t>(i)] = at;
        });
        noteBytes();
        m_took = longestOf(m_times);
        m_resident.uploadMs = m_took.upload;
        m_resident.layoutMs = m_took.deinterleave;
        if (results) m_result = results->take();
    }

    const Partitionable& m_how;
    std::vector<Device*> m_devices;
    Resident& m_resident;  ///< of the whole: tells the times alone
    int m_axis = 1;
    std::int64_t m_all = 0, m_lines = 1, m_bytes = 0;
    const Variant* m_variant = nullptr;
    TunableValues m_tunables;
    bool m_wanted = false;  ///< a pass is to make a result
    Result m_result;
    std::vector<SlabTimes> m_times;     ///< of the pass under way, one a device
    SlabTimes m_took;                   ///< of the last pass
    std::vector<std::size_t> m_owners;  ///< the device that computed a piece last
    std::vector<Seat> m_seats;
};

}  // namespace

std::string whyWhole(const Problem& problem) {
    const auto* how = problem.inPieces();
    return how == nullptr ? "it works on all of its input at once" : how->indivisibleReason();
}

bool canBeCut(const Problem& problem) { return whyWhole(problem).empty(); }

std::unique_ptr<Session> openInPieces(const Problem& problem, Device& device, Resident& resident, const Error& why) {
    const auto* how = problem.inPieces();
    if (how == nullptr) throw why;
    if (const std::string reason = how->indivisibleReason(); !reason.empty())
        throw Error(Error::Kind::outOfMemory, std::string(why.what()) + "; " + reason, why.code());
    const auto lines = extentAlong(how->cutInput()->shape(), how->cutAxis());
    return std::make_unique<PieceSession>(*how, std::vector{&device}, resident, piecesFor(why, lines));
}

std::unique_ptr<Session> openInPieces(const Problem& problem, const std::vector<Device*>& devices, Resident& resident) {
    const auto* how = problem.inPieces();
    return std::make_unique<PieceSession>(*how, devices, resident, partsFor(devices));
}

std::unique_ptr<Session> openFitting(const Problem& problem, Device& device, Resident& resident) {
    try {
        return problem.open(device, resident);
    } catch (const MemoryRefusal& error) {
        return openInPieces(problem, device, resident, error);
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::outOfMemory) throw;
        return openInPieces(problem, device, resident, error);
    }
}

}  // namespace warplens::gpu
