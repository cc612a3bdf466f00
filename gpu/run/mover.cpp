// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/mover.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>

namespace warplens::gpu {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kPage = 4096;
constexpr double kQueuedSeconds = 0.04;
constexpr std::size_t kLeastAhead = 12;  ///< four items of three stages: a ring of three, and the next one

/// Puts buffers of the problem where they are to lie while a session is opened.
class Placed {
public:
    Placed(StreamDevice& device, Placement placement, std::size_t least) : m_device(device) {
        device.setPlacement(placement, least);
    }
    ~Placed() { m_device.setPlacement(Placement::device); }
    Placed(const Placed&) = delete;
    Placed& operator=(const Placed&) = delete;

private:
    StreamDevice& m_device;
};

/// Copies of one direction take turns whatever lane they are in, but their moments tell when the lane was ready.
void keepTurns(std::vector<MovementSpan>& spans) {
    std::ranges::stable_sort(spans, {}, &MovementSpan::end);
    std::array<double, 3> free{};
    for (MovementSpan& span : spans) {
        const auto engine = static_cast<std::size_t>(span.engine);
        if (engine >= free.size()) continue;
        span.begin = std::min(std::max(span.begin, free[engine]), span.end);
        free[engine] = span.end;
        span.lane = 0;
    }
}

}  // namespace

std::size_t stagesAhead(double seconds, std::size_t passed) {
    if (passed == 0) return kLeastAhead;
    const double each = std::max(seconds, 1e-9) / static_cast<double>(passed);
    return std::max(kLeastAhead, static_cast<std::size_t>(kQueuedSeconds / each));
}

Mover::Mover(Device& device, const TransferWorkload& work, const std::byte* sent, std::byte* made)
    : m_device(device), m_overlapping(overlappingOf(device)), m_work(work), m_sent(sent), m_made(made) {}

MovementSlot& Mover::addSlot(std::shared_ptr<const Problem> problem, Placement placement) {
    auto slot = std::make_unique<MovementSlot>();
    slot->problem = std::move(problem);
    slot->resident.asItLies = true;
    slot->sent = m_work.sentBytes;
    slot->made = m_work.madeBytes;
    {
        const Placed placed(m_overlapping, placement, std::min(slot->sent, slot->made));
        slot->session = slot->problem->open(m_device, slot->resident);
    }
    if (!slot->session->picture())
        throw Error(Error::Kind::unsupported,
                    m_device.info().id + ": a picture does not fit as a whole: " + slot->session->plan());
    slot->session->prepare(*m_work.variant, m_work.tunables);
    // Loads the kernels' code, and fills what a launch does not write.
    if (placement == Placement::device) slot->session->poisonOutput();
    slot->session->launch();
    m_device.synchronize();
    m_slots.push_back(std::move(slot));
    return *m_slots.back();
}

void Mover::openLanes(int count, StreamKind kind) {
    for (int i = 0; i < count; ++i) m_lanes.push_back(m_overlapping.createStream(kind));
}

void Mover::giveUpload(int lane, std::size_t item) {
    const MovementSlot& to = slot(item);
    const std::byte* const from = m_sent + pictureOf(item) * m_work.sentBytes + to.from;
    m_lanes[lane]->upload(to.resident.planes, to.kept, from, to.sent);
}

void Mover::giveCompute(int lane, std::size_t item) {
    const MovementSlot& at = slot(item);
    // Here rather than beside its upload, whose lane is busy all the time.
    if (at.kept > 0) {
        const MovementSlot& before = *at.before;
        m_lanes[lane]->copy(at.resident.planes, 0, before.resident.planes, before.kept + before.sent - at.kept,
                            at.kept);
    }
    m_lanes[lane]->run([session = at.session.get()] { session->launch(); });
}

void Mover::giveDownload(int lane, std::size_t item) {
    // An iteration's fields change places while another thread computes them.
    const MovementSlot& from = slot(item);
    m_lanes[lane]->download(
        m_made + pictureOf(item) * m_work.madeBytes + from.to, [&from]() -> const Buffer& { return from.result(); },
        from.skip, from.made);
}

// What a GPU has in its queues cannot be taken back.
void Mover::keepPace() {
    while (m_given.size() - m_passed >= m_ahead) {
        m_given[m_passed++].end->wait();
        m_ahead = stagesAhead(std::chrono::duration<double>(SteadyClock::now() - m_started).count(), m_passed);
    }
}

std::shared_ptr<Moment> Mover::stage(MovementEngine engine, int lane, std::size_t item,
                                     const std::function<void()>& give) {
    keepPace();
    Lane& queue = *m_lanes[lane];
    Given given{.span = {.item = item, .engine = engine, .lane = lane}, .begin = {}, .end = {}};
    if (m_clocked) given.begin = queue.mark();
    give();
    given.end = m_clocked ? queue.mark() : queue.markUntimed();
    m_given.push_back(given);
    return given.end;
}

std::shared_ptr<Moment> Mover::upload(int lane, std::size_t item) {
    return stage(MovementEngine::upload, lane, item, [&] { giveUpload(lane, item); });
}

std::shared_ptr<Moment> Mover::compute(int lane, std::size_t item) {
    return stage(MovementEngine::kernel, lane, item, [&] { giveCompute(lane, item); });
}

std::shared_ptr<Moment> Mover::download(int lane, std::size_t item) {
    return stage(MovementEngine::download, lane, item, [&] { giveDownload(lane, item); });
}

void Mover::recordGraphs() {
    for (std::size_t item = 0; item < items(); ++item) {
        const int at = static_cast<int>(item % m_lanes.size());
        m_graphs.push_back(m_lanes[at]->record([&] {
            giveUpload(at, item);
            giveCompute(at, item);
            giveDownload(at, item);
        }));
    }
}

void Mover::launchGraph(int lane, std::size_t item) {
    stage(MovementEngine::graph, lane, item, [&] { m_graphs[item]->launch(); });
}

void Mover::readPlaced() {
    const auto since = [this] { return std::chrono::duration<double>(SteadyClock::now() - m_started).count(); };
    for (std::size_t item = 0; item < items(); ++item) {
        m_given[item].end->wait();
        MovementSpan span{.item = item, .engine = MovementEngine::hostReads, .lane = 0, .begin = since(), .end = 0};
        const volatile std::byte* result = m_overlapping.hostAddress(slot(item).result());
        for (std::size_t at = 0; at < m_work.madeBytes; at += kPage) static_cast<void>(result[at]);
        span.end = since();
        m_hostSpans.push_back(span);
    }
}

Mover::Sample Mover::sample(void (*put)(Mover&), bool clocked) {
    m_clocked = clocked;
    m_given.clear();
    m_passed = 0;
    m_ahead = stagesAhead(0, 0);
    m_hostSpans.clear();
    m_lanes.front()->mark()->wait();
    m_started = SteadyClock::now();
    m_begin = m_lanes.front()->mark();
    put(*this);
    for (const auto& one : m_lanes) one->mark()->wait();
    Sample made;
    made.ms = std::chrono::duration<double, std::milli>(SteadyClock::now() - m_started).count();
    for (Given& given : m_given) {
        if (!clocked) break;
        // Another lane may begin before the first one has come to its moment.
        given.span.begin = std::max(0.0, given.begin->msSince(*m_begin) * 1e-3);
        given.span.end = std::max(given.span.begin, given.end->msSince(*m_begin) * 1e-3);
        made.spans.push_back(given.span);
    }
    keepTurns(made.spans);
    made.spans.insert(made.spans.end(), m_hostSpans.begin(), m_hostSpans.end());
    m_given.clear();
    return made;
}

std::vector<MovementItem> Mover::describeItems() const {
    std::vector<MovementItem> list;
    std::vector<int> bands(m_work.pictures);
    for (std::size_t item = 0; item < items(); ++item) {
        const MovementSlot& slot = *m_slots[slotOf(item)];
        const std::size_t picture = pictureOf(item), together = slot.made / m_work.madeBytes;
        std::string name = "picture " + std::to_string(picture + 1);
        if (together > 1)
            name = "pictures " + std::to_string(picture + 1) + " to " + std::to_string(picture + together);
        if (together == 0) name += ", band " + std::to_string(++bands[picture]);
        list.push_back({name, static_cast<std::int64_t>(slot.sent)});
    }
    return list;
}

}  // namespace warplens::gpu
