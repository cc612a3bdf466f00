// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/step_sections.hpp"

#include "gpu/core/wrong_on_purpose.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/panel.hpp"
#include "gui/volume/step_charts.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

QLabel* makeNote(const char* name, QWidget* parent) {
    auto* note = made(new QLabel(parent), {.id = name, .look = "caption", .wraps = true});
    return note;
}

QString millisecondsText(double ms) { return RateSection::tr("%1 ms").arg(format::milliseconds(ms)); }

/// Whether the variants agree with the reference after the steps taken.
class AgreementSection : public DockSection {
public:
    AgreementSection(PlaybackModel& model, QWidget* parent)
        : DockSection(tr("Agreement"), Origin::measured, parent), m_model(model) {
        m_verdict = addRow({}, "agreement-verdict", m_mark);
        m_error = addRow(tr("largest error"), "agreement-error");
        m_bound = addRow(tr("allowed there"), "agreement-bound");
        m_share = addRow(tr("cells checked"), "agreement-share");
        content()->addWidget(m_note);
        connect(&model, &PlaybackModel::changed, this, &AgreementSection::refresh);
        refresh();
    }

private:
    void refresh() {
        const auto& checks = m_model.checks();
        std::size_t playing = 0;
        QStringList aside, wrong;
        for (const gpu::Player& player : m_model.players()) {
            if (player.refusal.empty())
                ++playing;
            else
                aside << QStringLiteral("%1: %2.").arg(QString::fromStdString(player.variant),
                                                       QString::fromStdString(player.refusal));
        }
        const std::string* worst = nullptr;
        double nearest = -1, share = 1;
        for (const auto& [id, check] : checks) {
            if (check.mismatches > 0) wrong << QString::fromStdString(id);
            share = std::min(share, check.checkedShare);
            const double use = check.bound > 0 ? check.maxAbsError / check.bound : check.maxAbsError;
            if (use <= nearest) continue;
            nearest = use;
            worst = &id;
        }
        const bool all = playing > 0 && checks.size() == playing && share > 0;
        // In double precision so many steps of so large a field would take too long.
        const bool unchecked = playing > 0 && checks.size() == playing && share <= 0;
        setCaption(m_model.begun() ? tr("step %1").arg(format::integer(m_model.step())) : QString());
        m_who->setText(playing == 1 ? tr("1 variant")
                                    : tr("all %1 variants").arg(format::integer(static_cast<std::int64_t>(playing))));
        m_who->setVisible(playing > 0);
        m_mark->setState(!wrong.isEmpty() ? std::optional(ResultState::wrong)
                         : all            ? std::optional(ResultState::verified)
                         : playing > 0    ? std::optional(ResultState::unverified)
                                          : std::nullopt);
        m_verdict->setText(!wrong.isEmpty()      ? tr("wrong: %1").arg(wrong.join(QStringLiteral(", ")))
                           : all                 ? stateName(ResultState::verified)
                           : unchecked           ? stateName(ResultState::unverified)
                           : m_model.checking()  ? tr("%1 of %2 checked").arg(checks.size()).arg(playing)
                           : playing == 0        ? QString()
                           : m_model.step() == 0 ? tr("no step yet")
                                                 : tr("checked at rest"));
        const gpu::Verification* check = worst != nullptr ? &checks.at(*worst) : nullptr;
        m_error->setText(check != nullptr && !unchecked ? format::compact(check->maxAbsError, 2) : QStringLiteral("–"));
        m_error->setToolTip(
            check != nullptr
                ? tr("Of %1, against as many steps in double precision").arg(QString::fromStdString(*worst))
                : QString());
        m_bound->setText(check != nullptr && !unchecked ? format::compact(check->bound, 2) : QStringLiteral("–"));
        m_bound->setToolTip(tr("Grows with the steps: each adds (taps + 1) × 2⁻²³ of the values that it sums"));
        m_share->setText(check != nullptr ? format::percent(share) : QStringLiteral("–"));
        if (unchecked && check != nullptr) aside << QString::fromStdString(check->note) + '.';
        m_note->setText(aside.join(' '));
        m_note->setVisible(!aside.isEmpty());
    }

    QLabel* addRow(const QString& name, const char* id, QWidget* mark = nullptr) {
        auto* row = makeRow(nullptr, {}, 6);
        auto* label = made(new QLabel(name, this), {.look = "label"});
        if (m_who == nullptr) m_who = label;
        auto* value = made(new QLabel(this), {.id = id});
        fill(row, {label, spring()});
        if (mark != nullptr) row->addWidget(mark);
        row->addWidget(value);
        content()->addLayout(row);
        return value;
    }

    PlaybackModel& m_model;
    StatusMark* m_mark = new StatusMark(this);
    QLabel *m_who = nullptr, *m_verdict = nullptr, *m_error = nullptr, *m_bound = nullptr, *m_share = nullptr,
           *m_note = makeNote("agreement-note", this);
};

}  // namespace

RateSection::RateSection(RequestState& request, PlaybackModel& model, QWidget* parent)
    : DockSection(tr("Rate, Gcell/s"), std::nullopt, parent),
      m_request(request),
      m_model(model),
      m_bars(new RateBars(this)),
      m_note(makeNote("rate-note", this)),
      m_origin(new OriginMark(Origin::measured, this)) {
    m_bars->setObjectName(QStringLiteral("rate-bars"));
    addToHead(m_origin);
    content()->addWidget(m_bars);
    content()->addWidget(m_note);
    connect(&model, &PlaybackModel::changed, this, &RateSection::refresh);
    connect(&request.devices(), &DeviceChoice::changed, this, &RateSection::refresh);
    connect(&request, &RequestState::taskChanged, this, &RateSection::refresh);
    refresh();
    inBackground(
        this, [] { return recordedRuns(); },
        [this](const gpu::RecordedRuns& runs) {
            if (m_recorded.empty()) setRecorded(runs);
        });
}

void RateSection::setRecorded(gpu::RecordedRuns runs) {
    m_recorded = std::move(runs);
    refresh();
}

void RateSection::refresh() {
    std::vector<RateBar> bars;
    std::optional<double> line;
    QString note;
    setCaption({});
    const gpu::Family* family = m_request.parameters().family();
    const bool iterates = family != nullptr && family->info().iterates;
    if (iterates && m_request.devices().ranking())
        showMeasured(bars, line, note);
    else if (iterates)
        showRecorded(bars, line, note);
    m_origin->setVisible(std::ranges::any_of(bars, [](const RateBar& bar) { return bar.gcells.has_value(); }));
    m_bars->setBars(std::move(bars), line);
    if (iterates && !m_model.plan().empty())
        note += ' ' + tr("Slab by slab: %1; times are the kernels' alone.").arg(QString::fromStdString(m_model.plan()));
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void RateSection::showMeasured(std::vector<RateBar>& bars, std::optional<double>& line, QString& note) {
    m_origin->setOrigin(Origin::measured);
    setCaption(m_request.devices().chosen() == nullptr
                   ? QString()
                   : QString::fromStdString(m_request.devices().chosen()->name).remove("NVIDIA "));
    for (const gpu::Player& player : m_model.players()) {
        const gpu::Variant* variant = m_request.variants().variant(player.variant);
        if (variant == nullptr || !player.refusal.empty() || player.msPerStep <= 0) continue;
        bars.push_back({variant->idea,
                        QString::fromStdString(player.variant),
                        player.gcellsPerSecond,
                        millisecondsText(player.msPerStep),
                        {},
                        player.variant == m_request.current()});
    }
    std::ranges::stable_sort(bars, std::greater(), &RateBar::gcells);
    line = bars.empty() ? std::nullopt : copySweep(m_request.devices().limits());
    note = bars.empty() ? tr("Play: every checked variant takes the same steps, each timed.")
           : line       ? tr("In lockstep; times of the last steps. A comparison (F5) times whole iterations.")
                        : tr("In lockstep; times of the last steps. The line of one sweep at copy speed comes with a "
                                   "comparison (F5).");
}

void RateSection::showRecorded(std::vector<RateBar>& bars, std::optional<double>& line, QString& note) {
    const auto& parameters = m_request.parameters();
    const auto grid = m_request.document().grid();
    const auto recorded = grid == nullptr
                              ? std::nullopt
                              : recordedStepRates(m_recorded, *parameters.family(),
                                                  gpu::RecordedTask(*parameters.family(), parameters.values(), *grid,
                                                                    m_request.document().input().toStdString()));
    const auto& players = m_model.players();
    const auto here = [&](const std::string& id) -> QString {
        const auto at = std::ranges::find(players, id, &gpu::Player::variant);
        if (at == players.end() || at->msPerStep <= 0) return {};
        return tr("CPU, here: %1 per step, %2 Gcell/s")
            .arg(millisecondsText(at->msPerStep), format::significant(at->gcellsPerSecond));
    };
    const auto add = [&](const gpu::Variant& variant, std::optional<double> gcells, const QString& time) {
        const QString aside = here(variant.id);
        if (!gcells && aside.isEmpty()) return;
        bars.push_back(
            {variant.idea, QString::fromStdString(variant.id), gcells, time, aside, variant.id == m_request.current()});
    };
    const auto known = [&](const gpu::Variant& variant) {
        return recorded &&
               std::ranges::any_of(recorded->rows, [&](const auto& row) { return row.variant->id == variant.id; });
    };
    if (recorded)
        for (const StepRates::Row& row : recorded->rows) add(*row.variant, row.gcells, millisecondsText(row.msPerStep));
    for (const gpu::Variant& variant : parameters.family()->variants())
        if (!known(variant) && !gpu::isExplicitOnly(variant)) add(variant, std::nullopt, {});
    m_origin->setOrigin(Origin::recorded);
    if (recorded) {
        setCaption(QStringLiteral("%1, %2").arg(recorded->device, recorded->size));
        line = recorded->copyGcells;
        const StepRates::Row& first = recorded->rows.front();
        if (line && first.gcells > *line)
            note = tr("%1 passes the line: several steps share one read and one write. ")
                       .arg(QString::fromStdString(first.variant->id));
        note += tr("Recorded %1, %2 steps; the CPU's own times rank nothing.")
                    .arg(recorded->date, format::integer(recorded->steps));
    } else {
        note = bars.empty() ? tr("No run on a GPU is recorded for such a picture and these parameters. Play to see "
                                 "what a step takes "
                                 "here.")
                            : tr("Order of the ladder: the CPU's own times rank nothing. No run on a GPU is recorded.");
    }
}

DockSection* makeAgreementSection(PlaybackModel& model, QWidget* parent) { return new AgreementSection(model, parent); }

}  // namespace warplens::gui
