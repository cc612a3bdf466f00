// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/playback_model.hpp"

#include "gui/kit/theme/format.hpp"

#include <algorithm>

namespace warplens::gui {

struct PlaybackModel::Place {
    std::unique_ptr<gpu::Playback> playback;
};

namespace {

/// Values that say when to end and when to look, not what a step does.
bool onlyAboutTheEnd(const std::vector<gpu::Parameter>& parameters, const std::string& id) {
    using enum gpu::Parameter::Role;
    const auto found = std::ranges::find(parameters, id, &gpu::Parameter::id);
    return found != parameters.end() &&
           (found->role == iterations || found->role == stopTolerance || found->role == residualInterval);
}

}  // namespace

const std::vector<PlaybackModel::Speed>& PlaybackModel::speeds() {
    static const std::vector<Speed> list{{QStringLiteral("0.1 ×"), 1, 2},
                                         {QStringLiteral("0.5 ×"), 1, 12},
                                         {QStringLiteral("1 ×"), 1, kMostPictures},
                                         {QStringLiteral("2 ×"), 2, kMostPictures},
                                         {QStringLiteral("5 ×"), 5, kMostPictures},
                                         {QStringLiteral("10 ×"), 10, kMostPictures},
                                         {QStringLiteral("50 ×"), 50, kMostPictures}};
    return list;
}

PlaybackModel::PlaybackModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent)
    : QObject(parent),
      m_request(request),
      m_control(control),
      m_activity(activity),
      m_place(std::make_shared<Place>()) {
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, [this] {
        if (m_playing) tick(std::min(speeds()[static_cast<std::size_t>(m_speed)].steps, stepsLeft()));
    });
    connect(&request.parameters(), &ParameterState::changed, this, [this](const std::string& id) {
        if (!onlyAboutTheEnd(m_request.parameters().parameters(), id)) return reset(true);
        m_ended.clear();
        emit changed();
    });
    connect(&request.parameters(), &ParameterState::familyChanged, this, [this] { reset(true); });
    connect(&request.variants(), &VariantListModel::checkedChanged, this, [this] { reset(true); });
    connect(&request.document(), &Document::changed, this, [this] { reset(false); });
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (!before.sameCurrent(now)) showCurrent();
    });
    connect(&request.devices(), &DeviceChoice::changed, this, [this, device = std::string()]() mutable {
        const gpu::DeviceInfo* now = m_request.devices().chosen();
        if (now != nullptr && now->id != std::exchange(device, now->id)) reset(true);
    });
    const auto yield = [this] {
        if (m_control.comparing() && (m_playing || m_jobs.busy()))
            pause();
        else if (!m_control.comparing() && !m_playing && !m_running && !m_checking && m_checks.empty())
            check();
        emit changed();
    };
    // What is being timed shares the device with nobody.
    connect(&activity, &Activity::busyChanged, this, yield);
    connect(&control, &RunControl::compared, this, yield);
    for (JobRunner* jobs : {&m_jobs, &m_exports}) connect(jobs, &JobRunner::busyChanged, this, &PlaybackModel::changed);
}

PlaybackModel::~PlaybackModel() = default;

bool PlaybackModel::ready() const {
    const gpu::Family* family = m_request.parameters().family();
    return family != nullptr && family->info().iterates && !m_request.document().empty() &&
           m_request.devices().chosen() != nullptr && !m_control.comparing();
}

std::int64_t PlaybackModel::steps() const {
    const auto* steps = m_request.parameters().valueFor<std::int64_t>(gpu::Parameter::Role::iterations);
    return steps == nullptr ? 0 : *steps;
}

const KeptFrame* PlaybackModel::shown() const {
    return m_shown < m_frames.frames().size() ? &m_frames.frames()[m_shown] : nullptr;
}

void PlaybackModel::show(std::size_t index) {
    if (index >= m_frames.frames().size() || index == m_shown) return;
    if (m_playing) pause();
    m_shown = index;
    emit frameShown();
    emit changed();
}

void PlaybackModel::reset(bool samePicture) {
    m_jobs.discard();
    m_next.stop();
    m_playing = m_running = m_checking = false;
    m_even = true;
    // The worker may still hold the place for a moment; it goes with whoever lets go of it last.
    m_place = std::make_shared<Place>();
    const bool begun = this->begun();
    if (!samePicture)
        m_earlier.clear();
    else if (m_residuals.size() > 1)
        m_earlier = std::move(m_residuals);
    m_residuals.clear();
    m_frames.clear();
    m_shown = 0;
    m_state = {};
    m_checks.clear();
    m_ended.clear();
    if (begun) emit frameShown();
    emit changed();
}

void PlaybackModel::play() {
    if (m_playing || !ready()) return;
    if (begun() && stepsLeft() == 0) toStart();
    m_playing = true;
    m_ended.clear();
    if (!m_running) tick(begun() ? std::min(speeds()[static_cast<std::size_t>(m_speed)].steps, stepsLeft()) : 0);
    emit changed();
}

void PlaybackModel::pause() {
    m_playing = false;
    m_next.stop();
    m_jobs.cancel();
    if (!m_running) check();  // between two ticks
    emit changed();
}

void PlaybackModel::stepOnce() {
    if (!ready()) return;
    if (m_playing) return pause();
    if (m_shown + 1 < m_frames.frames().size()) return show(m_shown + 1);
    if (!m_running) tick(1);
}

void PlaybackModel::toStart() {
    if (!begun()) return;
    if (m_residuals.size() > 1) m_earlier = m_residuals;
    m_residuals.clear();
    m_playing = false;
    m_next.stop();
    const KeptFrame first = m_frames.frames().front();
    m_frames.clear();
    m_frames.add(first);
    m_shown = 0;
    m_ended.clear();
    m_state.step = 0;
    emit frameShown();
    tick(0, true);
}

void PlaybackModel::setSpeed(int index) {
    m_speed = std::clamp(index, 0, static_cast<int>(speeds().size()) - 1);
    emit changed();
}

void PlaybackModel::tick(std::int64_t steps, bool fromStart) {
    m_control.cancelLive();
    m_running = true;
    m_checking = false;
    m_checks.clear();
    m_even = false;
    m_sinceTick.start();
    m_jobs.start(
        this,
        [place = m_place, steps, fromStart, family = m_request.parameters().family(),
         input = m_request.document().grid(), values = m_request.parameters().shaping(),
         variants = m_request.variants().checked(), current = m_request.current(),
         device = m_request.devices().chosen()->id, cap = m_request.memoryCap()](const JobContext& context) {
            if (place->playback == nullptr) place->playback = family->play(input, values, variants, device, cap);
            gpu::Playback& playback = *place->playback;
            if (fromStart) playback.restart();
            Tick done{{}, nullptr, nullptr, current};
            const auto& players = playback.state().players;
            const auto plays = [&](const std::string& id) {
                return std::ranges::any_of(players,
                                           [&](const auto& p) { return p.variant == id && p.refusal.empty(); });
            };
            if (!plays(current))
                done.variant = std::ranges::find_if(players, [](const auto& p) { return p.refusal.empty(); })->variant;
            if (playback.state().step == 0 && steps > 0 && playback.even()) done.start = playback.frame(done.variant);
            if (steps > 0) playback.advance(steps, context.stop());
            done.state = playback.state();
            done.field = playback.frame(done.variant);
            return done;
        },
        [this](JobResult<Tick> result) {
            m_running = false;
            if (result) return take(result.value());
            if (!result.cancelled()) {
                m_playing = false;
                m_activity.report(result.failure().message);
            }
            if (m_playing) return tick(std::min<std::int64_t>(1, stepsLeft()));  // paused, and played again since
            emit changed();
        });
    emit changed();
}

void PlaybackModel::take(const Tick& tick) {
    const bool onward = tick.state.step > m_state.step;
    m_even = true;
    m_state = tick.state;
    if (tick.start != nullptr && m_frames.empty()) m_frames.add({0, tick.variant, tick.start});
    m_frames.add({tick.state.step, tick.variant, tick.field});
    m_shown = m_frames.frames().size() - 1;
    if (onward) m_residuals.push_back({tick.state.step, tick.state.change});
    const auto* asked = m_request.parameters().valueFor<double>(gpu::Parameter::Role::stopTolerance);
    const double tolerance = asked == nullptr ? 0 : *asked;
    if (onward && tolerance > 0 && tick.state.change < tolerance)
        m_ended = tr("no cell changes by %1 or more").arg(format::value(tolerance));
    else if (m_playing && stepsLeft() == 0)
        m_ended = tr("all steps taken");
    if (!m_ended.isEmpty()) m_playing = false;
    emit frameShown();
    emit changed();
    if (m_playing) {
        const int interval = 1000 / speeds()[static_cast<std::size_t>(m_speed)].picturesPerSecond;
        m_next.start(std::max(0, interval - static_cast<int>(m_sinceTick.elapsed())));
    } else {
        check();
    }
}

void PlaybackModel::showCurrent() {
    // A tick under way brings the field of the variant that was current when it began; the next one corrects that.
    if (!begun() || m_running || m_playing || !m_even || m_control.comparing()) return;
    if (m_frames.frames().back().variant == m_request.current() || m_shown + 1 != m_frames.frames().size()) return;
    tick(0);
}

void PlaybackModel::check() {
    if (m_state.step == 0 || !m_even || m_control.comparing()) return;
    m_checking = true;
    emit changed();
    m_jobs.start(
        this,
        [this, place = m_place, players = m_state.players](const JobContext& context) {
            for (const gpu::Player& player : players) {
                if (!player.refusal.empty()) continue;
                const gpu::Verification found = place->playback->verify(player.variant, context.stop());
                context.deliver([this, id = player.variant, found] {
                    m_checks[id] = found;
                    emit changed();
                });
            }
            return Done{};
        },
        [this](JobResult<Done> result) {
            m_checking = false;
            if (!result && !result.cancelled()) m_activity.report(result.failure().message);
            emit changed();
        });
}

void PlaybackModel::exportFrames(const QString& path, std::function<QImage(const io::Grid&)> draw) {
    if (!begun() || m_exports.busy()) return;
    FrameExport frames{{}, std::move(draw), path};
    for (const KeptFrame& frame : m_frames.frames()) frames.fields.push_back(frame.field);
    m_exports.start(
        this, [frames](const JobContext& context) { return writeFrames(frames, context); },
        [this, path](JobResult<std::size_t> result) {
            if (!result) return m_activity.report(result.failure().message);
            const QStringList names = seriesNames(path, result.value());
            m_activity.note(tr("Exported %1 frames, %2 to %3")
                                .arg(format::integer(static_cast<std::int64_t>(names.size())),
                                     names.front().section('/', -1), names.back().section('/', -1)));
        });
}

}  // namespace warplens::gui
