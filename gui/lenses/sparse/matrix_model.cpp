// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/matrix_model.hpp"

#include "gpu/core/error.hpp"
#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

/// What says how the system is solved, and not which.
bool ofSolving(const std::string& parameter) {
    return parameter == "solver" || parameter == "tolerance" || parameter == "iterations";
}

}  // namespace

MatrixModel::MatrixModel(RequestState& request, Results& results, RunControl& control, Activity& activity,
                         QObject* parent)
    : QObject(parent), m_request(request), m_results(results), m_control(control), m_activity(activity) {
    activity.watch(m_solveJobs);
    connect(&activity, &Activity::cancelled, this, &MatrixModel::cancel);
    connect(&request.document(), &Document::changed, this, [this] {
        m_jobs.discard();
        m_rows.reset();  // of another picture
        m_problem.clear();
        emit rowsChanged();
        outdate();
    });
    connect(&request.parameters(), &ParameterState::familyChanged, this, &MatrixModel::outdate);
    connect(&request.parameters(), &ParameterState::changed, this, [this](const std::string& id) {
        if (!mine()) return;
        m_solveJobs.discard();
        if (!ofSolving(id)) return outdate();
        if (id == "tolerance") m_curves.clear();
        emit curvesChanged();
    });
    connect(&results, &Results::changed, this, &MatrixModel::follow);
    for (const JobRunner* jobs : {&m_jobs, &m_solveJobs})
        connect(jobs, &JobRunner::busyChanged, this, &MatrixModel::busyChanged);
}

bool MatrixModel::mine() const {
    const gpu::Family* family = m_request.parameters().family();
    return family != nullptr && family->id() == "sparse";
}

void MatrixModel::setActive(bool active) {
    m_active = active;
    if (!active) return;
    start();
    follow();
}

void MatrixModel::outdate() {
    if (!mine()) return;
    m_due = true;
    m_curves.clear();
    emit curvesChanged();
    start();
}

void MatrixModel::start() {
    if (!m_active || !m_due || !mine()) return;
    m_due = false;
    const auto picture = m_request.document().grid();
    const auto refuse = [this](const QString& why) {
        m_jobs.discard();
        m_rows.reset();
        m_problem = why;
        emit rowsChanged();
    };
    if (picture == nullptr) return refuse(tr("Open a picture: its pixels are the rows."));
    if (picture->shape().pixels() > kMostPixels)
        return refuse(tr("Only images of up to %1 pixels are drawn (this one: %2).")
                          .arg(format::integer(kMostPixels), format::integer(picture->shape().pixels())));
    m_jobs.start(
        this,
        [picture, values = m_request.parameters().shaping()](const JobContext& context) {
            return std::make_shared<const gpu::sparse::MatrixRows>(
                gpu::sparse::matrixRows(picture, values, context.stop()));
        },
        [this](JobResult<std::shared_ptr<const gpu::sparse::MatrixRows>> result) {
            if (result.cancelled()) return;
            const bool same = m_rows != nullptr && result && m_rows->lengths == result.value()->lengths;
            m_rows = result ? result.value() : nullptr;
            m_problem = result ? QString() : result.failure().message;
            if (m_rows != nullptr && !same) m_row = middle();
            emit rowsChanged();
            emit rowChanged();
        });
}

int MatrixModel::middle() const {
    const auto& of = m_rows->posed;
    const std::int64_t line = (of.depth / 2) * std::int64_t{of.height} + of.height / 2;
    // Of what was painted the middle of all rows.
    return m_rows->unknowns.masked() ? m_rows->count() / 2 : m_rows->rowAt(line * of.width + of.width / 2);
}

void MatrixModel::setRow(int row) {
    if (m_rows == nullptr || row < 0 || row >= m_rows->count()) return;
    if (std::exchange(m_row, row) != row) emit rowChanged();
}

void MatrixModel::pick(QPoint pixel, int slice) {
    if (m_rows == nullptr) return;
    const auto& of = m_rows->posed;
    if (pixel.x() < 0 || pixel.y() < 0 || pixel.x() >= of.width || pixel.y() >= of.height || slice >= of.depth) return;
    setRow(m_rows->rowAt((std::int64_t{slice} * of.height + pixel.y()) * of.width + pixel.x()));
}

QPoint MatrixModel::place(int row) const {
    const std::int64_t pixel = m_rows->pixelOf(row);
    const auto& of = m_rows->posed;
    return {static_cast<int>(pixel % of.width), static_cast<int>(pixel / of.width % of.height)};
}

int MatrixModel::sliceOf(int row) const {
    return static_cast<int>(m_rows->pixelOf(row) / m_rows->posed.width / m_rows->posed.height);
}

int MatrixModel::count() const {
    return m_rows == nullptr ? 0 : std::min(gpu::sparse::kWarp, m_rows->count() - first());
}

bool MatrixModel::solves() const {
    const auto& state = m_request.parameters();
    return mine() && gpu::format(state.value("task")) != "product";
}

std::string MatrixModel::solver() const { return mine() ? gpu::format(m_request.parameters().value("solver")) : ""; }

std::int64_t MatrixModel::iterations() const {
    return mine() ? std::get<std::int64_t>(m_request.parameters().value("iterations")) : 0;
}

void MatrixModel::keep(const std::string& solver, const gpu::RunRecord& record) {
    const gpu::Table* table = gpu::findTable(record.result.tables, "residuals");
    const gpu::Table* steps = gpu::findTable(record.result.tables, "steps");
    if (record.status != gpu::Status::ok || table == nullptr || steps == nullptr) return;
    SolveCurve curve;
    curve.solved = steps->texts("stopped").front() == "tolerance";
    const auto &step = table->integers("iteration"), &products = table->integers("products");
    const auto& left = table->reals("residual");
    for (std::size_t i = 0; i < left.size(); ++i) curve.points.push_back({step[i], products[i], left[i]});
    SolveCurve& known = m_curves[solver];
    // What was cut short to look at a step is no news of the solver.
    if (!known.points.empty() && (curve.points.empty() || known.points.back().step >= curve.points.back().step)) return;
    known = std::move(curve);
    emit curvesChanged();
}

void MatrixModel::follow() {
    if (!m_active || !solves() || m_results.stale(m_request.current())) return;
    if (const gpu::RunRecord* record = m_results.of(m_request.current())) keep(solver(), *record);
}

void MatrixModel::solveAll() {
    if (!solves() || !m_request.ready()) return;
    gpu::Request asked = m_request.make({m_request.current()}, true);
    // Whoever looked at an early step did not mean the curves to end there.
    const auto& known = m_request.parameters().parameters();
    const auto limit = std::ranges::find(known, "iterations", &gpu::Parameter::id);
    if (iterations() < std::get<std::int64_t>(limit->fallback)) asked.parameters.erase("iterations");
    m_solveJobs.start(
        this,
        [this, asked](const JobContext& context) {
            for (const char* solver : kSolvers) {
                gpu::Request one = asked;
                one.parameters["solver"] = std::string(solver);
                const gpu::Comparison done = m_control.runner().run(one, context.stop());
                if (context.stop().stop_requested()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
                for (const gpu::RunRecord& record : done.runs)
                    context.deliver([this, record, solver] { keep(solver, record); });
            }
            return Done{};
        },
        [this](JobResult<Done> result) {
            if (!result) m_activity.fail(result.failure());
        });
}

void MatrixModel::showStep(const std::string& solver, std::int64_t step) {
    if (!solves()) return;
    ParameterState& state = m_request.parameters();
    if (this->solver() != solver) state.set("solver", solver);
    state.set("iterations", std::max<std::int64_t>(1, step));
}

}  // namespace warplens::gui
