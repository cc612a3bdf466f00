// SPDX-License-Identifier: Apache-2.0
// Generated inputs and a sample against numpy: numpy_figures.json, made by make_numpy_figures.py.
#include "gpu/families/reduction/tests/reduction_case.hpp"
#include "io/read.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace warplens::gpu::testing {
namespace {

using nlohmann::json;

std::shared_ptr<const io::Grid> pictureNamed(const std::string& name) {
    return std::make_shared<const io::Grid>(
        io::read(name.starts_with("gen:") ? name : WARPLENS_SOURCE_DIR "/resources/samples/" + name));
}

/// The table's row as numpy has it: integers exact, reals to what f32 sums of few levels leave.
void expectRow(const Table& table, std::size_t row, const json& expected, const std::string& what) {
    for (const auto& [id, value] : expected.items()) {
        const Column* column = table.find(id);
        ASSERT_NE(column, nullptr) << id;
        const double got = column->number(row);
        if (value.is_null())
            EXPECT_EQ(got, std::numeric_limits<double>::infinity()) << what << ' ' << id;
        else if (std::holds_alternative<Column::Integers>(column->values))
            EXPECT_EQ(got, value.get<double>()) << what << ' ' << id;
        else
            EXPECT_NEAR(got, value.get<double>(), 1e-6 * std::fabs(value.get<double>())) << what << ' ' << id;
    }
}

TEST(ReductionAgainstNumpy, EveryFigureOfEveryRow) {
    std::ifstream file(WARPLENS_SOURCE_DIR "/gpu/families/reduction/tests/numpy_figures.json");
    Runner runner;
    int tables = 0, pictures = 0;
    for (const auto& entry : json::parse(file)) {
        const std::string name = entry.at("input");
        ParameterValues values;
        if (entry.contains("with")) values = comparedWith(pictureNamed(entry.at("with")));
        if (entry.contains("along")) values = projected(entry.at("along"), entry.at("keep"));
        for (const auto& run : runner.run(reductionRequest(pictureNamed(name), values)).runs) {
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << name << ' ' << run.variant << ": " << run.reason;
            const std::string what = name + ' ' + run.variant;
            if (run.result.picture != nullptr) {
                ++pictures;
                const io::Grid& made = *run.result.picture;
                const auto& rows = entry.at("picture");
                ASSERT_EQ(made.shape().height, static_cast<std::int64_t>(rows.size())) << what;
                ASSERT_EQ(made.shape().width, static_cast<std::int64_t>(rows[0].size())) << what;
                for (std::int64_t y = 0; y < made.shape().height; ++y) {
                    for (std::int64_t x = 0; x < made.shape().width; ++x) {
                        const double exact = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
                        EXPECT_NEAR(made.value(x, y), exact, made.type() == io::PixelType::f32 ? 1e-7 * exact : 0)
                            << what;
                    }
                }
                continue;
            }
            const auto& rows = entry.at("rows");
            const Table& table = *run.result.tables.front();
            ASSERT_EQ(table.rows(), rows.size()) << what;
            for (std::size_t row = 0; row < rows.size(); ++row) expectRow(table, row, rows[row], what);
            ++tables;
        }
    }
    EXPECT_GE(tables, 12 * 11 + 6 * 5);
    EXPECT_EQ(pictures, 3 * 3 * 4 * 3);
}

}  // namespace
}  // namespace warplens::gpu::testing
