// SPDX-License-Identifier: Apache-2.0
// A report as the version before wrote it.
#include "gpu/report/report.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(ReportOfTheVersionBefore, ComesBackWholeWithNotesThatAreEmpty) {
    const std::string text = readText(std::string(WARPLENS_SOURCE_DIR) + "/tests/gpu/report/earlier/comparison.json");
    EXPECT_EQ(violation("report", text), "");
    Json now = Json::parse(gpu::toJson(gpu::parseReport(text, "r.json")));
    EXPECT_EQ(now["input"]["notes"], Json::array());
    now["input"].erase("notes");
    EXPECT_EQ(now, Json::parse(text));
}

}  // namespace
}  // namespace warplens::test
