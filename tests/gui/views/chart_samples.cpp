// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/views/chart_samples.hpp"

#include "gui/lenses/histogram/histogram_chart.hpp"
#include "gui/lenses/sparse/solve_chart.hpp"
#include "gui/picture/profile_panel.hpp"
#include "gui/regions/measure_chart.hpp"
#include "gui/volume/step_charts.hpp"
#include "gui/why/crossover_chart.hpp"

#include <cmath>
#include <limits>

namespace warplens::gui::samples {

namespace {

std::unique_ptr<QWidget> sweep(bool wide) {
    auto chart = std::make_unique<SweepCurve>();
    SweepCurve::Curves curves;
    curves.title = QStringLiteral("block width");
    for (const int value : {8, 16, 32, 64, 128, 256}) {
        curves.values << QString::number(value);
        curves.spoken << QStringLiteral("block width %1: constant is fastest").arg(value);
        curves.refused.push_back(value == 256);
    }
    const auto curve = [&](const char* name, gpu::Idea idea, double ms, double by) {
        SweepCurve::Curve made{.name = QString::fromUtf8(name), .idea = idea, .points = {}};
        for (int i = 0; i < 6; ++i, ms *= by)
            made.points.push_back(i == 5 ? std::nullopt : std::optional(SweepCurve::Point{ms, ms * 0.93, ms * 1.08}));
        curves.curves.push_back(made);
    };
    curve("naive", gpu::Idea::plain, 1.9, wide ? 2.6 : 0.9);
    curve("constant", gpu::Idea::cache, 1.2, 0.95);
    curve("register_tiled", gpu::Idea::registers, 1.1, wide ? 0.6 : 0.98);
    chart->setCurves(curves);
    chart->setChosen(2);
    return chart;
}

std::unique_ptr<QWidget> crossover() {
    auto chart = std::make_unique<CrossoverChart>();
    CrossoverChart::Map map;
    map.rowTitle = QStringLiteral("radius, pixels");
    map.columnTitle = QStringLiteral("size of the picture, pixels");
    map.rows = {QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("8")};
    map.columns = {QStringLiteral("64 × 64"), QStringLiteral("1,024 × 1,024"), QStringLiteral("8,192 × 8,192")};
    for (int i = 0; i < 9; ++i) {
        CrossoverChart::Cell cell;
        if (i == 4) {
            cell.same = {gpu::Idea::cache, gpu::Idea::registers};
            cell.name = QStringLiteral("same");
            cell.figure = QStringLiteral("1.01×");
            cell.detail = QStringLiteral("constant, register_tiled");
        } else if (i == 8) {
            cell.name = QStringLiteral("refused");
            cell.detail = QStringLiteral("needs 96 KiB of shared memory");
        } else if (i == 7) {
            cell.share = 0.6;
            cell.name = QStringLiteral("1.24×");
            cell.figure = QStringLiteral("0.42 ms");
        } else {
            cell.idea = i % 2 == 0 ? gpu::Idea::cache : gpu::Idea::registers;
            cell.name = i % 2 == 0 ? QStringLiteral("constant") : QStringLiteral("register_tiled");
            cell.figure = QStringLiteral("1.%1×").arg(20 + i);
            cell.detail = QStringLiteral("0.12 ms, ahead of naive");
        }
        if (!cell.figure.isEmpty()) cell.origin = Origin::measured;
        cell.spoken = QStringLiteral("cell %1: ").arg(i) + cell.name;
        map.cells.push_back(cell);
    }
    chart->setMap(map);
    chart->setChosen(4);
    return chart;
}

std::unique_ptr<QWidget> profile(bool channels, bool empty) {
    auto chart = std::make_unique<ProfileChart>();
    if (empty) {
        chart->setProfile({}, {});
        return chart;
    }
    const ProfileLine line{{3, 4}, {203, 64}};
    std::vector<ProfileCurve> curves;
    const auto curve = [&](const char* id, std::optional<gpu::Idea> idea, bool current, double phase) {
        ProfileCurve made{.id = id, .name = QString::fromUtf8(id), .idea = idea, .current = current, .values = {}};
        for (std::size_t i = 0; i < line.size(); ++i)
            made.values.push_back(i > 90 && i < 99 ? std::numeric_limits<double>::quiet_NaN()
                                                   : 120 + 80 * std::sin(phase + 0.07 * static_cast<double>(i)));
        curves.push_back(made);
    };
    if (channels) {
        curve("red", std::nullopt, false, 0);
        curve("green", std::nullopt, false, 1);
        curve("blue", std::nullopt, false, 2);
    } else {
        curve("input", std::nullopt, false, 0);
        curve("naive", gpu::Idea::plain, false, 0.2);
        curve("register_tiled", gpu::Idea::registers, true, 0.4);
    }
    chart->setProfile(line, curves);
    chart->setAt(40);
    return chart;
}

std::unique_ptr<QWidget> counts(std::size_t steps, std::int64_t first) {
    auto chart = std::make_unique<CountsCurve>();
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < steps; ++i)
        values.push_back(static_cast<std::int64_t>(
            5000 * std::abs(std::sin(3 * static_cast<double>(i) / static_cast<double>(steps)))));
    chart->setCounts(values, first, first == 0 ? QStringLiteral("steps") : QStringLiteral("passes"));
    if (steps > 1) chart->setAt(steps / 3);
    return chart;
}

std::unique_ptr<QWidget> residual(std::int64_t steps) {
    auto chart = std::make_unique<ResidualChart>();
    std::vector<ResidualPoint> now, earlier;
    double change = 3.5;
    for (std::int64_t step = 1; step <= steps; ++step, change *= 0.97) {
        if (step <= steps * 3 / 4) now.push_back({step, change});
        earlier.push_back({step, change * 2});
    }
    chart->setCurves(now, earlier, std::max<std::int64_t>(1, steps), steps / 2);
    return chart;
}

std::unique_ptr<QWidget> solve(bool empty) {
    auto chart = std::make_unique<SolveChart>();
    const auto falling = [](double by, std::int64_t products, int steps) {
        SolveCurve curve;
        double left = 1;
        for (int i = 0; i <= steps; ++i, left *= by) curve.points.push_back({i, i * products, left});
        return curve;
    };
    if (empty)
        chart->setCurves({}, "cg", std::nullopt);
    else
        chart->setCurves(
            {{"jacobi", falling(0.97, 1, 200)}, {"cg", falling(0.75, 1, 40)}, {"multigrid", falling(0.2, 5, 6)}},
            "multigrid", 3);
    return chart;
}

std::unique_ptr<QWidget> areas(bool empty) {
    auto chart = std::make_unique<MeasureChart>();
    std::vector<double> all;
    for (int i = 0; !empty && i < 300; ++i) all.push_back(1 + (i * 37) % (1 + (i * 13) % 420));
    chart->setValues(all, QStringLiteral("px"), true);
    chart->setKept(60, 300);
    return chart;
}

std::unique_ptr<QWidget> scatter(bool empty) {
    auto chart = std::make_unique<MeasureScatter>();
    MeasureScatter::Rows rows{.across = QStringLiteral("Area µm²"), .up = QStringLiteral("Circularity")};
    for (int i = 0; !empty && i < 200; ++i) {
        rows.x.push_back(20 + (i * 37) % 391);
        rows.y.push_back(1 - 0.002 * ((i * 53) % 311));
        rows.labels.push_back(i + 1);
        rows.kept.push_back(rows.x.back() > 60 && rows.x.back() < 300);
    }
    chart->setRows(rows);
    chart->setChosenRow(7);
    return chart;
}

std::unique_ptr<QWidget> lanes() {
    auto chart = std::make_unique<LanesChart>();
    std::array<std::int64_t, 33> requests{};
    for (std::size_t i = 1; i < requests.size(); ++i)
        requests[i] = i % 5 == 0 ? 0 : static_cast<std::int64_t>(3000 / i + (i == 32 ? 900 : 0));
    chart->setRequests(requests);
    return chart;
}

}  // namespace

std::vector<Chart> charts() {
    std::vector<Chart> all;
    const auto add = [&](const char* name, std::unique_ptr<QWidget> widget) {
        all.push_back({QString::fromUtf8(name), std::move(widget)});
    };
    add("sweep", sweep(false));
    add("sweep-log", sweep(true));
    add("crossover", crossover());
    add("profile", profile(false, false));
    add("profile-channels", profile(true, false));
    add("profile-empty", profile(false, true));
    add("counts", counts(29, 0));
    add("counts-many", counts(4000, 1));
    add("counts-one", counts(1, 1));
    add("residual", residual(500));
    add("residual-empty", residual(0));
    add("solve", solve(false));
    add("solve-empty", solve(true));
    add("areas", areas(false));
    add("areas-empty", areas(true));
    add("scatter", scatter(false));
    add("scatter-empty", scatter(true));
    add("lanes", lanes());
    return all;
}

}  // namespace warplens::gui::samples
