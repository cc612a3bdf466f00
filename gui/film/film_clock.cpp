// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_clock.hpp"

#include <QScopedValueRollback>
#include <algorithm>

namespace warplens::gui {

FilmClock::FilmClock(FilmModel& first, FilmModel& second, QObject* parent)
    : QObject(parent), m_first(first), m_second(second) {
    setSpeed(4);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_at + 1 >= moments()) return setPlaying(false);
        goTo(m_at + 1);
    });
    for (FilmModel* model : {&first, &second}) {
        connect(model, &FilmModel::filmChanged, this, &FilmClock::arrange);
        connect(model, &FilmModel::stepChanged, this, [this, model] { follow(*model); });
    }
}

FilmClock::Moment FilmClock::momentOf(const FilmModel& model, int step) {
    return {model.columnOf(step), model.film()->steps[static_cast<std::size_t>(step)].warp};
}

void FilmClock::setBoth(bool both) {
    if (std::exchange(m_both, both) != both) arrange();
}

int FilmClock::columns() const { return std::max(m_first.columns(), m_both ? m_second.columns() : 0); }

void FilmClock::arrange() {
    m_moments.clear();
    for (const FilmModel* model : {&m_first, &m_second}) {
        if (model == &m_second && !m_both) continue;
        for (int i = 0; i < model->steps(); ++i) m_moments.push_back(momentOf(*model, i));
    }
    std::ranges::sort(m_moments);
    m_moments.erase(std::ranges::unique(m_moments).begin(), m_moments.end());
    m_at = 0;
    if (m_moments.empty()) setPlaying(false);
    show();
}

void FilmClock::show(const FilmModel* but) {
    const QScopedValueRollback guard(m_showing, true);
    for (FilmModel* model : {&m_first, &m_second}) {
        if (model->steps() == 0 || m_moments.empty()) continue;
        const Moment now = m_moments[static_cast<std::size_t>(m_at)];
        int low = 0, high = model->steps();  // the last step that is not later
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (momentOf(*model, middle) <= now ? low : high) = middle;
        }
        if (model != but) model->goTo(low);
        model->setOver(m_both && now > momentOf(*model, model->steps() - 1));
    }
    emit changed();
}

void FilmClock::follow(FilmModel& moved) {
    if (m_showing || moved.steps() == 0 || m_moments.empty()) return;
    if (&moved == &m_second && !m_both) return;
    const auto found = std::ranges::lower_bound(m_moments, momentOf(moved, moved.at()));
    m_at = std::min(moments() - 1, static_cast<int>(found - m_moments.begin()));
    show(&moved);
}

void FilmClock::goTo(int moment) {
    moment = std::clamp(moment, 0, std::max(0, moments() - 1));
    if (moments() == 0 || std::exchange(m_at, moment) == moment) return;
    show();
}

void FilmClock::goByPhase(int by) { leading().goByPhase(by); }

void FilmClock::setPlaying(bool playing) {
    if (playing == m_timer.isActive()) return;
    if (playing && m_at + 1 >= moments()) goTo(0);
    playing ? m_timer.start() : m_timer.stop();
    emit playingChanged();
}

void FilmClock::setSpeed(int stepsPerSecond) { m_timer.setInterval(1000 / std::max(1, stepsPerSecond)); }

}  // namespace warplens::gui
