// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/transfer_benchmark.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/movement_plans.hpp"
#include "gpu/run/rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace warplens::gpu {
namespace {

constexpr double kMostSecondsAWay = 5;  ///< then no further sample begins

/// Tells pictures apart, and what lies where in them.
std::uint64_t sumOf(const std::byte* data, std::size_t bytes) {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;
    std::array<std::uint64_t, 8> sums{1, 2, 3, 4, 5, 6, 7, 8}, words{};
    std::size_t at = 0;
    for (; at + sizeof words <= bytes; at += sizeof words) {
        std::memcpy(words.data(), data + at, sizeof words);
        for (std::size_t i = 0; i < words.size(); ++i) sums[i] = (sums[i] ^ words[i]) * kPrime;
    }
    std::uint64_t sum = bytes;
    for (const std::uint64_t one : sums) sum = (sum ^ one ^ (one >> 29U)) * kPrime;
    for (; at < bytes; ++at) sum = (sum ^ static_cast<std::uint64_t>(data[at])) * kPrime;
    return sum;
}

class Measuring {
public:
    Measuring(const MovementRequest& request, Device& device, TransferBenchmark& movement, TransferWorkload work,
              std::stop_token stop)
        : m_request(request),
          m_device(device),
          m_movement(movement),
          m_work(std::move(work)),
          m_stop(std::move(stop)) {}

    /// What every picture gives when it goes alone, and whether the first one is right.
    void reference() {
        Resident resident;
        resident.asItLies = true;
        const auto session = m_work.problem->open(m_device, resident);
        const auto result = session->picture();
        if (!result)
            throw Error(Error::Kind::unsupported,
                        m_device.info().id + ": the picture does not fit as a whole: " + session->plan());
        m_work.sentBytes = resident.planes.bytes();
        m_work.madeBytes = static_cast<std::size_t>(result->shape.values()) * io::sizeOf(result->type);
        checkMemory();
        m_base.resize(m_work.sentBytes);
        m_device.download(m_base.data(), resident.planes, m_base.size());
        session->prepare(*m_work.variant, m_work.tunables);
        session->poisonOutput();
        session->launch();
        double layoutMs = 0, downloadMs = 0;
        m_movement.verification =
            m_work.problem->verify(session->download(layoutMs, downloadMs), *m_work.variant, m_stop);
        std::vector<std::byte> sent(m_work.sentBytes), made(m_work.madeBytes);
        const auto alone = [&] {
            m_device.upload(resident.planes, sent.data(), sent.size());
            session->launch();
            m_device.download(made.data(), *session->picture()->planes, made.size());
            return sumOf(made.data(), made.size());
        };
        for (std::size_t i = 0; i < m_work.pictures; ++i) {
            heed();
            makePicture(i, sent.data());
            m_expected.push_back(alone());
        }
        for (std::byte& one : sent) one = ~one;
        if (alone() == m_expected.back())
            throw Error(Error::Kind::unsupported,
                        m_work.family +
                            " takes its picture once, before it runs, so no other can follow: choose a "
                            "family that filters");
        m_movement.sentBytes = static_cast<std::int64_t>(m_work.sentBytes);
        m_movement.madeBytes = static_cast<std::int64_t>(m_work.madeBytes);
    }

    MovementRow run(const MovementPlan& plan) {
        MovementRow row{.way = plan.way.id};
        try {
            hold(plan.memory);
            Mover mover(m_device, m_work, m_sent.get(), m_made.get());
            plan.open(mover);
            row.items = mover.describeItems();
            time(plan, mover, row);
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::cancelled || error.kind() == Error::Kind::fault) throw;
            const bool refused = error.kind() == Error::Kind::unsupported || error.kind() == Error::Kind::outOfMemory;
            row = {
                .way = plan.way.id, .status = refused ? Status::unsupported : Status::failed, .reason = error.what()};
        }
        return row;
    }

private:
    /// Pictures are large: between two of them.
    void heed() const {
        if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
    }

    void checkMemory() const {
        const auto each = static_cast<std::int64_t>(m_work.sentBytes + m_work.madeBytes);
        const std::int64_t most = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2 /
                                  std::max<std::int64_t>(each, 1);
        if (static_cast<std::int64_t>(m_work.pictures) > most)
            throw Error(Error::Kind::argument,
                        std::to_string(m_work.pictures) + " pictures of " + std::to_string(each) +
                            " bytes with their results are more than half of this machine's memory: take at most " +
                            std::to_string(most));
    }

    /// The input, its rows moved on by i.
    void makePicture(std::size_t i, std::byte* to) const {
        const io::Shape& shape = m_work.input->shape();
        const std::size_t row = static_cast<std::size_t>(shape.width) * io::sizeOf(m_work.input->type());
        const std::size_t first = i * row % m_base.size();
        std::memcpy(to, m_base.data() + first, m_base.size() - first);
        std::memcpy(to + m_base.size() - first, m_base.data(), first);
    }

    /// Pictures in memory of that kind; results there are of no way.
    void hold(MovedMemory memory) {
        if (memory != m_memory || !m_sent) {
            m_sent.reset();
            m_made.reset();
            m_memory = memory;
            if (memory == MovedMemory::slots) return;
            m_sent = take(m_work.pictures * m_work.sentBytes);
            m_made = take(m_work.pictures * m_work.madeBytes);
            for (std::size_t i = 0; i < m_work.pictures; ++i) {
                heed();
                makePicture(i, m_sent.get() + i * m_work.sentBytes);
            }
        }
        for (std::size_t i = 0; m_made && i < m_work.pictures; ++i) {
            heed();
            std::memset(m_made.get() + i * m_work.madeBytes, 0xa5, m_work.madeBytes);
        }
    }
    std::shared_ptr<std::byte> take(std::size_t bytes) const {
        if (m_memory == MovedMemory::pinned) return overlappingOf(m_device).pinned(bytes);
        return {new std::byte[bytes], std::default_delete<std::byte[]>()};
    }

    /// Placed pictures move to the device, and have to be the host's again.
    void refill(const MovementPlan& plan, Mover& mover) const {
        if (plan.memory != MovedMemory::slots) return;
        for (std::size_t i = 0; i < mover.items(); ++i) {
            heed();
            MovementSlot& slot = mover.slot(i);
            makePicture(i, overlappingOf(m_device).hostAddress(slot.resident.planes));
            std::memset(overlappingOf(m_device).hostAddress(slot.result()), 0xa5, slot.made);
        }
    }

    void time(const MovementPlan& plan, Mover& mover, MovementRow& row) {
        double spent = 0;
        refill(plan, mover);
        mover.sample(plan.put, false);
        for (int i = 0; i < m_request.samples && (i == 0 || spent < kMostSecondsAWay); ++i) {
            refill(plan, mover);
            row.ms.push_back(mover.sample(plan.put, false).ms);
            spent += row.ms.back() * 1e-3;
        }
        refill(plan, mover);
        Mover::Sample clocked = mover.sample(plan.put, true);
        check(plan, mover, row);
        if (row.status != Status::ok) return;
        std::vector<double> ms = row.ms;
        const auto middle = ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2);
        std::ranges::nth_element(ms, middle);
        row.medianMs = *middle;
        row.seconds = clocked.ms * 1e-3;
        for (const MovementSpan& span : clocked.spans) row.seconds = std::max(row.seconds, span.end);
        row.spans = std::move(clocked.spans);
    }

    void check(const MovementPlan& plan, Mover& mover, MovementRow& row) const {
        for (std::size_t i = 0; i < m_work.pictures; ++i) {
            heed();
            const std::byte* made = plan.memory == MovedMemory::slots
                                        ? overlappingOf(m_device).hostAddress(mover.slot(i).result())
                                        : m_made.get() + i * m_work.madeBytes;
            if (sumOf(made, m_work.madeBytes) == m_expected[i]) continue;
            row.status = Status::wrong;
            row.reason = "picture " + std::to_string(i + 1) + " differs from the same picture processed alone";
            return;
        }
    }

    const MovementRequest& m_request;
    Device& m_device;
    TransferBenchmark& m_movement;
    TransferWorkload m_work;
    std::stop_token m_stop;
    std::vector<std::byte> m_base;  ///< plane after plane
    std::vector<std::uint64_t> m_expected;
    MovedMemory m_memory = MovedMemory::slots;
    std::shared_ptr<std::byte> m_sent, m_made;
};

std::vector<const MovementPlan*> plansOf(const std::vector<std::string>& ids) {
    std::vector<const MovementPlan*> chosen;
    for (const std::string& id : ids) {
        if (std::ranges::none_of(movementPlans(), [&](const MovementPlan& plan) { return plan.way.id == id; })) {
            std::string known;
            for (const MovementPlan& plan : movementPlans()) known += (known.empty() ? "" : ", ") + plan.way.id;
            throw Error(Error::Kind::argument, "there is no way '" + id + "': choose one of " + known);
        }
    }
    for (const MovementPlan& plan : movementPlans())
        if (ids.empty() || std::ranges::find(ids, plan.way.id) != ids.end()) chosen.push_back(&plan);
    return chosen;
}

/// The variant that every way runs.
TransferWorkload workOf(const MovementRequest& request, const Family& family, const Tuning& tuning,
                        const Device& device, TransferBenchmark& movement) {
    if (!family.info().makesPicture)
        throw Error(Error::Kind::argument,
                    family.id() + " makes no picture that could be brought back: choose a family that does");
    if (request.input->shape().channels == 4)
        throw Error(Error::Kind::argument, "an alpha channel is copied, not computed: give a picture without one");
    if (request.pictures < 1 || request.samples < 1)
        throw Error(Error::Kind::argument, "at least one picture and one sample are needed");
    TransferWorkload work{.input = request.input,
                          .family = family.id(),
                          .parameters = request.parameters,
                          .problem = family.pose(request.input, request.parameters),
                          .pictures = request.pictures};
    TunableValues tunables = request.tunables;
    std::string variant = request.variant;
    if (variant == kAuto) {
        movement.choice = tuning.choose(family, *work.problem, device.info(), request.tunables);
        variant = movement.choice->variant;
        tunables = movement.choice->tunables;
    }
    const RunSpec run = parseRunSpec(family, variant);
    if (onHost(*run.variant))
        throw Error(Error::Kind::argument, run.id() + " runs on the host, where nothing has to move: choose a kernel");
    const RunRecord described =
        makeRunRecord(family.id(), *work.problem, *run.variant, run.over(tunables), device.info());
    if (described.status == Status::unsupported)
        throw Error(Error::Kind::unsupported, run.id() + ": " + described.reason);
    work.variant = run.variant;
    work.tunables = described.tunables;
    movement.variant = run.id();
    movement.tunables = described.tunables;
    return work;
}

/// Ends with the stop that was set for a while.
class Stoppable {
public:
    Stoppable(Device& device, const std::stop_token& stop) : m_device(device) { device.setStop(stop); }
    ~Stoppable() { m_device.setStop({}); }
    Stoppable(const Stoppable&) = delete;
    Stoppable& operator=(const Stoppable&) = delete;

private:
    Device& m_device;
};

/// One thing at a time, so that a span is its copy's own.
constexpr const char* kAlone = "pinned";

double fastest(const TransferBenchmark& movement, MovementEngine engine, std::int64_t bytes) {
    double best = 0;
    for (const MovementRow& row : movement.rows) {
        if (row.status != Status::ok || row.way != kAlone) continue;
        for (const MovementSpan& span : row.spans)
            if (span.engine == engine && span.end > span.begin)
                best = std::max(best, static_cast<double>(bytes) / (span.end - span.begin) * 1e-9);
    }
    return best;
}

}  // namespace

const char* nameOf(MovementEngine engine) {
    switch (engine) {
        case MovementEngine::upload: return "upload";
        case MovementEngine::kernel: return "kernel";
        case MovementEngine::download: return "download";
        case MovementEngine::graph: return "graph";
        case MovementEngine::hostReads: return "host reads";
    }
    return "";
}

const std::vector<TransferStrategy>& movementWays() {
    static const std::vector<TransferStrategy> ways = [] {
        std::vector<TransferStrategy> list;
        for (const MovementPlan& plan : movementPlans()) list.push_back(plan.way);
        return list;
    }();
    return ways;
}

LinkRates linkOf(const TransferBenchmark& movement) {
    return {.up = fastest(movement, MovementEngine::upload, movement.sentBytes),
            .down = fastest(movement, MovementEngine::download, movement.madeBytes)};
}

double floorOf(const TransferBenchmark& movement) {
    const LinkRates link = linkOf(movement);
    if (link.up <= 0 || link.down <= 0) return 0;
    return std::max(movement.gigabytes(movement.sentBytes) / link.up,
                    movement.gigabytes(movement.madeBytes) / link.down) *
           1e3;
}

TransferBenchmark measureMovement(const MovementRequest& request, const Tuning& tuning, Device& device,
                                  std::stop_token stop,
                                  const std::function<void(double, const std::string&)>& progress) {
    const Family& family = familyOf(request.family);
    const auto plans = plansOf(request.ways);
    TransferBenchmark movement{.device = device.info(),
                               .environment = describeEnvironment(),
                               .inputName = request.inputName,
                               .family = family.id(),
                               .parameters = withDefaults(family, request.parameters),
                               .pictures = request.pictures};
    const auto tell = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
    const Stoppable stoppable(device, stop);
    device.setMemoryLimit(request.memoryCap);
    Measuring measuring(request, device, movement, workOf(request, family, tuning, device, movement), stop);
    try {
        tell(0, "the expected results");
        measuring.reference();
        if (movement.verification.mismatches > 0) return movement;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
            tell(static_cast<double>(i + 1) / static_cast<double>(plans.size() + 1), plans[i]->way.title);
            movement.rows.push_back(measuring.run(*plans[i]));
        }
        tell(1, "done");
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::cancelled) throw;
        movement.interrupted = true;
    }
    return movement;
}

}  // namespace warplens::gpu
