// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_model.hpp"

#include "gpu/report/line_counts.hpp"
#include "gpu/run/user_kernel.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

FilmModel::FilmModel(QObject* parent) : QObject(parent) {}

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
    // Of a kernel that is being written the text tells which it is.
    const std::string which = own() ? m_request->kernels.front()->id() + "\n" + m_request->kernels.front()->source()
                                    : m_request->variants.front();
    const Key key{m_request->input, m_request->family, which, m_request->parameters, m_query};
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
    m_over = false;
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

FilmModel::Place FilmModel::placeOf(const gpu::FilmStep& step) const {
    const auto& stack = film()->siteOf(step).stack;
    // What a user wrote is known by its name alone to who compiles it.
    const std::string& source = m_variant->source;
    const int line = gpu::lineIn(own() ? source.substr(source.rfind('/') + 1) : source, stack);
    if (line > 0) return {source, line};
    // A variant may be a launcher of a kernel that stands in a file beside it.
    for (const std::string& place : stack) {
        const std::string file = place.substr(0, place.rfind(':'));
        if (file.starts_with("gpu/families/")) return {file, gpu::lineIn(file, stack)};
    }
    return {source, 0};
}

void FilmModel::setOver(bool over) {
    if (std::exchange(m_over, over) != over) emit stepChanged();
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
        const Place at = placeOf(film()->steps[static_cast<std::size_t>(i)]);
        if (at.line == line && at.file == place().file) return goTo(i);
    }
}

}  // namespace warplens::gui
