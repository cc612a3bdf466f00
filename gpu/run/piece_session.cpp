// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/piece_session.hpp"

#include "gpu/core/pieces.hpp"
#include "gpu/run/slabs.hpp"

#include <algorithm>
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

class PieceSession final : public Session {
public:
    PieceSession(const InPieces& how, Device& device, Resident& resident, const Error& why)
        : m_how(how), m_device(device), m_resident(resident) {
        resident = {};
        resident.fresh = true;
        m_axis = how.cutAxis();
        m_all = extentAlong(how.cutInput()->shape(), m_axis);
        cut(piecesFor(why, m_all));
        // Whether there is memory for a piece at all is known before any row runs.
        fitting([this] { open(count() / 2); });
        close();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        if (variant.kind == Variant::Kind::library)
            throw Error(Error::Kind::unsupported,
                        "the picture does not fit as a whole, and a library's own order of sums is not known to keep "
                        "the bits in pieces: take a kernel, or raise the memory limit");
        m_variant = &variant;
        m_tunables = tunables;
        // One from the middle has a halo on both sides.
        fitting([this] { open(count() / 2); });
    }

    /// On the piece that lies there.
    void launch() override { m_inner->launch(); }

    double pass(Device&) override {
        double ms = 0;
        fitting([&] { ms = once(); });
        m_wanted = false;
        return ms;
    }

    std::string plan() const override { return pieces().sentence(); }
    std::optional<SlabMap> slabs() const override { return pieces().map(m_device.info().id); }

    void poisonOutput() override { m_wanted = true; }

    Result download(double& layoutMs, double& downloadMs) override {
        layoutMs += m_layoutMs;
        downloadMs += m_downloadMs;
        return std::exchange(m_result, {});
    }

private:
    std::int64_t count() const { return (m_all + m_lines - 1) / m_lines; }
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
            refuseMemory(m_device.info().id, what, refusal->needs(), refusal->budget());
        throw Error(Error::Kind::outOfMemory, what + " does not fit, either: " + error.what());
    }

    void close() {
        m_inner.reset();
        m_problem.reset();
        m_own = {};
    }

    void open(std::int64_t i) {
        close();
        const std::int64_t held = m_device.allocatedBytes(), halo = m_how.halo();
        m_piece.first = i * m_lines;
        m_piece.lines = std::min(m_lines, m_all - m_piece.first);
        std::int64_t begin = m_piece.first - halo, end = m_piece.first + m_piece.lines + halo;
        if (!m_how.wraps()) {
            begin = std::max<std::int64_t>(0, begin);
            end = std::min(m_all, end);
        }
        m_piece.before = m_piece.first - begin;
        m_problem = m_how.pieceOf(linesOf(*m_how.cutInput(), m_axis, begin, end - begin, m_how.wraps()), m_piece.first);
        m_inner = m_problem->open(m_device, m_own);
        if (m_variant != nullptr) m_inner->prepare(*m_variant, m_tunables);
        m_bytes = std::max(m_bytes, m_device.allocatedBytes() - held);
    }

    double once() {
        double ms = 0;
        m_bytes = 0;
        m_resident.uploadMs = m_resident.layoutMs = m_layoutMs = m_downloadMs = 0;
        const auto results = m_wanted ? m_how.emptyResults() : nullptr;
        for (std::int64_t i = 0; i < count(); ++i) {
            open(i);
            m_resident.uploadMs += m_own.uploadMs;
            m_resident.layoutMs += m_own.layoutMs;
            if (results) m_inner->poisonOutput();
            ms += m_inner->pass(m_device);
            if (results) results->add(m_inner->download(m_layoutMs, m_downloadMs), m_piece);
        }
        if (results) m_result = results->take();
        return ms;
    }

    const InPieces& m_how;
    Device& m_device;
    Resident& m_resident;  ///< of the whole: tells the times alone
    int m_axis = 1;
    std::int64_t m_all = 0, m_lines = 1, m_bytes = 0;
    const Variant* m_variant = nullptr;
    TunableValues m_tunables;
    bool m_wanted = false;  ///< a pass is to make a result
    Result m_result;
    double m_layoutMs = 0, m_downloadMs = 0;
    // The piece that lies on the device, in the order in which they depend on each other.
    Piece m_piece;
    Resident m_own;
    std::unique_ptr<Problem> m_problem;
    std::unique_ptr<Session> m_inner;
};

}  // namespace

bool canBeCut(const Problem& problem) {
    const auto* how = dynamic_cast<const InPieces*>(&problem);
    return how != nullptr && how->onlyWhole().empty();
}

std::unique_ptr<Session> openInPieces(const Problem& problem, Device& device, Resident& resident, const Error& why) {
    const auto* how = dynamic_cast<const InPieces*>(&problem);
    if (how == nullptr) throw why;
    if (const std::string reason = how->onlyWhole(); !reason.empty())
        throw Error(Error::Kind::outOfMemory, std::string(why.what()) + "; " + reason, why.code());
    return std::make_unique<PieceSession>(*how, device, resident, why);
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
