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
        m_rows.forget();  // of another picture
        m_chosenAmong.reset();
        emit rowsChanged();
        markStale();
    });
    connect(&request.parameters(), &ParameterState::familyChanged, this, &MatrixModel::markStale);
    connect(&request.parameters(), &ParameterState::changed, this, [this](const std::string& id) {
        if (!mine()) return;
        m_solveJobs.discard();
        if (!ofSolving(id)) return markStale();
        if (id == "tolerance") m_curves.clear();
        emit curvesChanged();
    });
    connect(&results, &Results::changed, this, &MatrixModel::follow);
    for (const JobRunner* jobs : {&m_rows.jobs(), &m_solveJobs})
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

void MatrixModel::markStale() {
    if (!mine()) return;
    m_curves.clear();
    emit curvesChanged();
    start();
}

void MatrixModel::start() {
    if (!m_active || !mine()) return;
    const auto picture = m_request.document().grid();
    const auto refuse = [this](const QString& why) {
        m_rows.forget(why);
        emit rowsChanged();
    };
    if (picture == nullptr) return refuse(tr("Open a picture: its pixels are the rows."));
    if (picture->shape().pixels() > kMostPixels)
        return refuse(tr("Only images of up to %1 pixels are drawn (this one: %2).")
                          .arg(format::integer(kMostPixels), format::integer(picture->shape().pixels())));
    const gpu::ParameterValues values = m_request.parameters().shaping();
    Of of{picture, values};
    std::erase_if(of.values, [](const auto& value) { return ofSolving(value.first); });
    m_rows.ask(std::move(of), [picture, values](const JobContext& context) {
        return std::make_shared<const gpu::sparse::MatrixRows>(
            gpu::sparse::matrixRows(picture, values, context.stop()));
    });
}

void MatrixModel::takeRows() {
    const auto before = std::exchange(m_chosenAmong, rows());
    if (m_chosenAmong != nullptr && (before == nullptr || before->lengths != m_chosenAmong->lengths)) m_row = middle();
    emit rowsChanged();
    emit rowChanged();
}

int MatrixModel::middle() const {
    const auto& of = rows()->posed;
    const std::int64_t line = (of.depth / 2) * std::int64_t{of.height} + of.height / 2;
    // Of what was painted the middle of all rows.
    return rows()->unknowns.masked() ? rows()->count() / 2 : rows()->rowAt(line * of.width + of.width / 2);
}

void MatrixModel::setRow(int row) {
    if (rows() == nullptr || row < 0 || row >= rows()->count()) return;
    if (std::exchange(m_row, row) != row) emit rowChanged();
}

void MatrixModel::pick(QPoint pixel, int slice) {
    if (rows() == nullptr) return;
    const auto& of = rows()->posed;
    if (pixel.x() < 0 || pixel.y() < 0 || pixel.x() >= of.width || pixel.y() >= of.height || slice >= of.depth) return;
    setRow(rows()->rowAt((std::int64_t{slice} * of.height + pixel.y()) * of.width + pixel.x()));
}

QPoint MatrixModel::place(int row) const {
    const std::int64_t pixel = rows()->pixelOf(row);
    const auto& of = rows()->posed;
    return {static_cast<int>(pixel % of.width), static_cast<int>(pixel / of.width % of.height)};
}

int MatrixModel::sliceOf(int row) const {
    return static_cast<int>(rows()->pixelOf(row) / rows()->posed.width / rows()->posed.height);
}

int MatrixModel::count() const {
    return rows() == nullptr ? 0 : std::min(gpu::sparse::kWarp, rows()->count() - first());
}

bool MatrixModel::solves() const {
    const auto& state = m_request.parameters();
    return mine() && gpu::format(state.value("task")) != "product";
}

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
