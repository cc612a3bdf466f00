// SPDX-License-Identifier: Apache-2.0
// Generated inputs against scipy: scipy_labels.json, made by make_scipy_labels.py.
#include "gpu/families/components/tests/components_case.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace warplens::gpu::testing {
namespace {

TEST(ComponentsAgainstScipy, LabelsAndEveryFigure) {
    std::ifstream file(WARPLENS_SOURCE_DIR "/gpu/families/components/tests/scipy_labels.json");
    Runner runner;
    int tables = 0;
    for (const auto& entry : nlohmann::json::parse(file)) {
        const std::string name = entry.at("input"), connectivity = entry.at("connectivity");
        const std::vector<std::uint32_t> labels = entry.at("labels");
        const auto& rows = entry.at("rows");
        for (const auto& run :
             runner.run(componentsRequest(generated(name), connectivity, entry.at("level"), "cpu")).runs) {
            if (run.status == Status::unsupported) continue;
            const std::string what = name + ' ' + connectivity + ' ' + run.variant;
            ASSERT_EQ(run.status, Status::ok) << what << ": " << run.reason;
            const auto* const got = run.result.picture->as<std::uint32_t>();
            EXPECT_EQ(std::vector<std::uint32_t>(got, got + run.result.picture->shape().pixels()), labels) << what;
            const Table& table = *run.result.tables.front();
            ASSERT_EQ(table.rows(), rows.size()) << what;
            for (std::size_t row = 0; row < rows.size(); ++row)
                for (const auto& [id, value] : rows[row].items())
                    EXPECT_NEAR(table.find(id)->number(row), value.get<double>(), 1e-9) << what << ' ' << id;
            ++tables;
        }
    }
    // Four pictures by six kernels and OpenCV, but one where the neighbours of blocks of 2 x 2 are four; two volumes.
    EXPECT_EQ(tables, 4 * 7 - 2 + 2 * 5);
}

}  // namespace
}  // namespace warplens::gpu::testing
