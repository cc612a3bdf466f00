// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/matrix_rows.hpp"
#include "gui/kit/derived.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"
#include "gui/session/run_control.hpp"

#include <QObject>
#include <QPoint>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gui {

/// How a solver came along: what was left, as a part of the first residual, after so many products with the matrix.
struct SolveCurve {
    struct Point {
        std::int64_t step = 0, products = 0;
        double left = 1;
    };
    std::vector<Point> points;
    bool solved = false;  ///< it came down to the tolerance
};
inline constexpr std::array kSolvers{"jacobi", "cg", "multigrid"};

/// What the Matrix page shows of the task at hand: the rows of its matrix, one of them chosen, and the curves of the
/// solvers that ran. It works only while it is active.
class MatrixModel : public QObject {
    Q_OBJECT
public:
    /// Of a larger picture numbering its pixels alone would take seconds.
    static constexpr std::int64_t kMostPixels = std::int64_t{1} << 24;

    MatrixModel(RequestState& request, Results& results, RunControl& control, Activity& activity,
                QObject* parent = nullptr);

    void setActive(bool active);
    /// Null until they are counted, and where there is no matrix; then problem() says why, unless busy().
    std::shared_ptr<const gpu::sparse::MatrixRows> rows() const { return m_rows.latest() ? *m_rows.latest() : nullptr; }
    const QString& problem() const { return m_rows.problem(); }
    bool busy() const { return m_rows.busy() || solving(); }

    int row() const { return m_row; }
    void setRow(int row);
    /// The row of a pixel becomes the chosen one; nothing happens where it has none.
    void pick(QPoint pixel, int slice);
    /// Where a row's pixel lies, and in which slice.
    QPoint place(int row) const;
    int sliceOf(int row) const;
    /// The rows of the chosen one's warp.
    int first() const { return m_row / gpu::sparse::kWarp * gpu::sparse::kWarp; }
    int count() const;

    const std::map<std::string, SolveCurve>& curves() const { return m_curves; }
    /// Whether the task is one for a solver.
    bool solves() const;
    std::string solver() const { return mine() ? gpu::format(m_request.parameters().value("solver")) : ""; }
    /// Of the present solver, at most.
    std::int64_t iterations() const;
    /// Runs the current variant with each solver.
    void solveAll();
    bool solving() const { return m_solveJobs.busy(); }
    void cancel() { m_solveJobs.cancel(); }
    /// The result becomes what that solver has after so many steps.
    void showStep(const std::string& solver, std::int64_t step);

signals:
    void rowsChanged();
    void rowChanged();
    void curvesChanged();
    void busyChanged();

private:
    bool mine() const;
    /// The row that is chosen at first.
    int middle() const;
    void markStale();
    void start();
    void takeRows();
    void follow();
    void keep(const std::string& solver, const gpu::RunRecord& record);

    RequestState& m_request;
    Results& m_results;
    RunControl& m_control;
    Activity& m_activity;
    bool m_active = false;
    /// What the matrix is made of.
    struct Of {
        std::shared_ptr<const io::Grid> picture;
        gpu::ParameterValues values;  ///< without those that say how it is solved
        bool operator==(const Of&) const = default;
    };
    Derived<Of, std::shared_ptr<const gpu::sparse::MatrixRows>> m_rows{[this] { takeRows(); }};
    std::shared_ptr<const gpu::sparse::MatrixRows> m_chosenAmong;
    int m_row = 0;
    std::map<std::string, SolveCurve> m_curves;
    JobRunner m_solveJobs;
};

}  // namespace warplens::gui
