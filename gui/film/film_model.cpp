// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_model.hpp"

#include "gpu/report/line_counts.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

FilmModel::FilmModel(QObject* parent) : QObject(parent) {
    setSpeed(4);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_at + 1 >= steps()) return setPlaying(false);
        goTo(m_at + 1);
    });
}

void FilmModel::setTask(std::optional<gpu::Request> request, const gpu::Variant* variant, const QString& why) {
    m_request = std::move(request);
    m_variant = variant;
    m_why = why;
    if (!m_request || !m_why.isEmpty()) {
        m_asked.drop();
        return take();
    }
    ask();
}

void FilmModel::pick(std::int64_t x, std::int64_t y, std::int64_t z) {
    m_query.pixel = std::array{x, y, z};
    ask();
}

void FilmModel::setLaunch(const std::string& kernel, int launch) {
    m_query.kernel = kernel;
    m_query.launch = launch;
    ask();
}

void FilmModel::ask() {
    if (!m_maker || !m_request || m_variant == nullptr) return;
    const Key key{m_request->input, m_request->family, m_request->variants.front(), m_request->parameters, m_query};
    const bool changed =
        m_asked.ask(key, [maker = m_maker, request = *m_request, query = m_query](const JobContext& context) {
            return maker(request, query, context.stop());
        });
    if (changed) take();
}

void FilmModel::take() {
    m_at = 0;
    m_state.reset();
    m_phases.clear();
    m_columns.clear();
    if (const gpu::Film* made = film()) {
        m_state = std::make_unique<gpu::FilmState>(*made);
        m_phases = phasesOf(*made);
        int column = -1, epoch = -1, round = -1;
        for (const gpu::FilmStep& step : made->steps) {
            column += std::exchange(epoch, step.epoch) != step.epoch || round != step.round;
            round = step.round;
            m_columns.push_back(column);
        }
        m_state->goTo(1);
    }
    if (steps() == 0) setPlaying(false);
    emit filmChanged();
    emit stepChanged();
}

const gpu::FilmStep* FilmModel::step() const {
    return steps() == 0 ? nullptr : &film()->steps[static_cast<std::size_t>(m_at)];
}

const gpu::FilmPhase* FilmModel::phase() const {
    const auto found = std::ranges::find_if(
        m_phases, [this](const gpu::FilmPhase& one) { return m_at >= one.first && m_at < one.first + one.count; });
    return found == m_phases.end() ? nullptr : &*found;
}

std::vector<std::int64_t> FilmModel::pixels() const {
    auto values = valuesTouched(*film(), *step());
    for (const auto& [lane, cell] : cellsTouched(*film(), *step())) {
        const auto& cells = m_state->cells(step()->array);
        if (const auto at = static_cast<std::size_t>(cell); at < cells.size() && cells[at].pixel >= 0)
            values.push_back(cells[at].pixel);
    }
    return values;
}

int FilmModel::line() const {
    if (step() == nullptr || m_variant == nullptr) return 0;
    return gpu::lineIn(m_variant->source, film()->siteOf(*step()).stack);
}

void FilmModel::goTo(int step) {
    step = std::clamp(step, 0, std::max(0, steps() - 1));
    if (steps() == 0 || std::exchange(m_at, step) == step) return;
    m_state->goTo(step + 1);
    emit stepChanged();
}

void FilmModel::goByPhase(int by) {
    int to = by > 0 ? steps() - 1 : 0;
    for (const gpu::FilmPhase& one : m_phases) {
        if (one.count == 0) continue;
        if (by > 0 && one.first > m_at) return goTo(one.first);
        if (by < 0 && one.first < m_at) to = one.first;
    }
    goTo(to);
}

void FilmModel::chooseWarp(int warp, int column) {
    int best = -1;
    for (int i = 0; i < steps(); ++i) {
        if (film()->steps[static_cast<std::size_t>(i)].warp != warp) continue;
        if (best < 0 || std::abs(columnOf(i) - column) < std::abs(columnOf(best) - column)) best = i;
    }
    if (best >= 0) goTo(best);
}

void FilmModel::goToLine(int line) {
    for (int by = 1; by <= steps() && m_variant != nullptr; ++by) {
        const int i = (m_at + by) % steps();
        const auto& site = film()->siteOf(film()->steps[static_cast<std::size_t>(i)]);
        if (gpu::lineIn(m_variant->source, site.stack) == line) return goTo(i);
    }
}

void FilmModel::setPlaying(bool playing) {
    if (playing == m_timer.isActive()) return;
    if (playing && m_at + 1 >= steps()) goTo(0);
    playing ? m_timer.start() : m_timer.stop();
    emit playingChanged();
}

void FilmModel::setSpeed(int stepsASecond) { m_timer.setInterval(1000 / std::max(1, stepsASecond)); }

}  // namespace warplens::gui
