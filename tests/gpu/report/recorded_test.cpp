// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/recorded.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/model/occupancy.hpp"
#include "gpu/report/sweep_document.hpp"
#include "gpu/report/table.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <array>
#include <gtest/gtest.h>

namespace warplens {

using namespace gpu;

namespace {

std::string recordedJson(std::int64_t side, const std::string& date) {
    Report report = makeReport(test::cudaComparison());
    report.input.shape.width = report.input.shape.height = side;
    report.environment.date = date;
    return toJson(report);
}

}  // namespace

TEST(Recorded, theNearestSizeIsFirstAndOfThoseTheNewest) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "session");
    test::writeText(folder / "session/a.json", recordedJson(8192, "2026-01-01T00:00:00Z"));
    test::writeText(folder / "session/b.json", recordedJson(512, "2026-01-01T00:00:00Z"));
    test::writeText(folder / "session/c.json", recordedJson(512, "2026-02-01T00:00:00Z"));
    const RecordedRuns runs = loadRecorded(folder.path());
    EXPECT_EQ(runs.all().size(), 3U);
    EXPECT_TRUE(runs.problems().empty());
    Report wanted = makeReport(test::cpuComparison());
    const auto found = [&](RecordedFigure figure) { return runs.of(RecordedTask(wanted), figure); };
    EXPECT_TRUE(found(RecordedFigure::time).empty()) << "none has 4 x 3 pixels";
    ASSERT_EQ(found(RecordedFigure::rate).size(), 3U);
    EXPECT_EQ(found(RecordedFigure::rate).front().report().environment.date, "2026-02-01T00:00:00Z");
    EXPECT_FALSE(found(RecordedFigure::rate).front().sameSize());
    wanted.input.shape.width = wanted.input.shape.height = 6000;
    EXPECT_EQ(found(RecordedFigure::rate).front().report().input.shape.width, 8192);
    wanted.input.shape.width = wanted.input.shape.height = 512;
    ASSERT_EQ(found(RecordedFigure::time).size(), 2U);
    EXPECT_TRUE(found(RecordedFigure::time).front().sameSize());
    EXPECT_EQ(found(RecordedFigure::time).front().label(), "Test GPU, 2026-02-01, 512 \u00d7 512 f32");
}

/// A report without its runs, and one parameter of it at another value.
static std::vector<Report> withAnotherParameter(const Report& of) {
    std::vector<Report> others;
    const auto& declared = familyOf(of.family).parameters();
    for (const Parameter& p : declared) {
        Report other = of;
        Parameter::Value& value = other.parameters[p.id];
        value = valueOf(declared, of.parameters, p.id);
        switch (p.type) {
            case Parameter::Type::integer: value = std::get<std::int64_t>(p.fallback) + 12345; break;
            case Parameter::Type::real:
                // One that may be a word instead: auto.
                value = (std::holds_alternative<double>(p.fallback) ? std::get<double>(p.fallback) : 0) + 12.345;
                break;
            case Parameter::Type::flag: value = !std::get<bool>(value); break;
            case Parameter::Type::choice:
                value = p.choices.front() == format(value) ? p.choices.back() : p.choices.front();
                break;
            case Parameter::Type::text: value = format(value) + "1"; break;
            case Parameter::Type::picture:
                value = std::make_shared<const NamedGrid>(
                    NamedGrid{"other.npy", std::make_shared<const io::Grid>(io::Shape{1, 1}, io::PixelType::u8)});
                break;
        }
        if (format(value) != format(valueOf(declared, of.parameters, p.id))) others.push_back(std::move(other));
    }
    return others;
}

constexpr std::array kFigures{RecordedFigure::time, RecordedFigure::rate, RecordedFigure::launch,
                              RecordedFigure::table};

/// All that is shipped: what is asked for is found, and once any one thing differs it is not.
TEST(Recorded, numbersStandBesideWhatTheyAreOfAlone) {
    const RecordedRuns runs = loadRecorded(std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / "recorded");
    int rows = 0, changes = 0;
    for (const Report& recorded : runs.all()) {
        Report asked;
        asked.family = recorded.family;
        asked.parameters = recorded.parameters;
        asked.input = recorded.input;
        const auto never = [&](const Report& other, const std::string& what) {
            for (const RecordedFigure figure : kFigures)
                EXPECT_FALSE(RecordedTask(other).matches(recorded, figure)) << recorded.family << ": " << what;
            ++changes;
        };
        SCOPED_TRACE(recorded.family + " " + recorded.input.name);
        for (const RecordedFigure figure : kFigures) EXPECT_TRUE(RecordedTask(asked).matches(recorded, figure));
        for (const Report& other : withAnotherParameter(asked)) never(other, parameterSummary(other));
        for (const char* type : {"u8", "u16", "f32", "i32"}) {
            Report other = asked;
            other.input.type = type;
            if (type != asked.input.type) never(other, type);
        }
        Report other = asked;
        other.input.shape.channels = asked.input.shape.channels + 1;
        never(other, "channels");
        other = asked;
        other.input.shape.depth = asked.input.shape.depth > 1 ? 1 : 2;
        never(other, "dimensions");
        other = asked;
        other.family = asked.family == "convolution" ? "stencil" : "convolution";
        never(other, "family");
        EXPECT_FALSE(RecordedTask(asked).on("NVIDIA H100").matches(recorded, RecordedFigure::time));
        EXPECT_TRUE(RecordedTask(asked).on(recorded.device.name).matches(recorded, RecordedFigure::time));
        for (const auto extent : {&io::Shape::depth, &io::Shape::height, &io::Shape::width}) {
            if (asked.input.shape.*extent == 1) continue;  // of another depth it is no longer a picture
            other = asked;
            ++(other.input.shape.*extent);
            other.input.hash.clear();
            EXPECT_FALSE(RecordedTask(other).matches(recorded, RecordedFigure::time)) << "another size";
        }
        EXPECT_TRUE(RecordedTask(other).matches(recorded, RecordedFigure::launch));
        for (const RecordedSource& source : runs.of(RecordedTask(other), RecordedFigure::launch))
            if (&source.report() == &recorded) {
                EXPECT_FALSE(source.sameSize()) << "it is to be told";
            }
        other = asked;
        other.input.name = "photo.png";
        other.input.hash.clear();
        EXPECT_EQ(RecordedTask(other).matches(recorded, RecordedFigure::time),
                  !familyOf(asked.family).info().valuesMatter);

        const RecordedSource source(recorded, true);
        for (const ReportRun& run : recorded.runs) {
            const Variant* variant = findVariant(recorded.family, run.record.variant);
            if (run.record.choice || variant == nullptr) continue;
            TunableValues all = run.record.tunables;
            for (const Tunable& tunable : variant->tunables) all.try_emplace(tunable.id, tunable.fallback);
            if (source.run(run.record.variant, all) == nullptr) continue;  // recorded with what it has no more
            ++rows;
            for (const auto& [id, value] : all) {
                TunableValues changed = all;
                changed[id] = value + 1;
                EXPECT_EQ(source.run(run.record.variant, changed), nullptr) << run.record.variant << ' ' << id;
                changed.erase(id);
                EXPECT_EQ(source.run(run.record.variant, changed), nullptr) << "asked without " << id;
            }
            for (const Variant& one : familyOf(recorded.family).variants())
                if (const RunRecord* its = source.run(one.id, all)) {
                    EXPECT_EQ(its->variant, one.id);
                }
        }
    }
    EXPECT_GT(rows, 500);
    EXPECT_GT(changes, 500);
}

/// So that registers, shared memory and occupancy may be told of a picture of another size.
TEST(Recorded, aBlockOfALaunchTakesTheSameAtEverySize) {
    const RecordedRuns runs = loadRecorded(std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / "recorded");
    int pairs = 0;
    for (const Report& one : runs.all()) {
        for (const RecordedSource& other : runs.of(RecordedTask(one), RecordedFigure::launch)) {
            // Another day may be another version of a kernel.
            if (other.sameSize() || other.report().environment.date.substr(0, 10) != one.environment.date.substr(0, 10))
                continue;
            for (const ReportRun& run : one.runs) {
                const RunRecord* its = other.run(run.record);
                if (its == nullptr || !its->launch || !run.record.launch) continue;
                ++pairs;
                EXPECT_EQ(its->launch->block, run.record.launch->block) << run.record.variant;
                EXPECT_EQ(its->launch->registers, run.record.launch->registers) << run.record.variant;
                EXPECT_EQ(its->launch->sharedBytes, run.record.launch->sharedBytes) << run.record.variant;
                EXPECT_EQ(its->launch->occupancy, run.record.launch->occupancy) << run.record.variant;
            }
        }
    }
    EXPECT_GT(pairs, 30);
}

TEST(Recorded, aBenchmarkIsAsManyRunsAsItHasCasesWithoutTheRowOfAuto) {
    const test::TemporaryFolder folder;
    auto report = nlohmann::json::parse(recordedJson(8192, "2026-01-01T00:00:00Z"));
    const auto rows = report["runs"].size();
    report["runs"].push_back(report["runs"][0]);
    report["runs"].back()["variant"] = report["runs"].back()["id"] = "auto";
    const nlohmann::json bench{{"cases", {{{"report", report}}, {{"report", nullptr}}, {{"report", report}}}}};
    test::writeText(folder / "bench.json", bench.dump());
    const RecordedRuns runs = loadRecorded(folder.path());
    EXPECT_TRUE(runs.problems().empty());
    ASSERT_EQ(runs.all().size(), 2U);
    EXPECT_EQ(runs.all()[1].runs.size(), rows);
}

/// What auto took has its own time, which is not that of the row beside it.
TEST(Recorded, aRowIsNotTheOneThatAutoTook) {
    Report report;
    report.family = "convolution";
    report.runs.resize(2);
    const Variant& variant = variantOf(familyOf(report.family), "naive");
    for (ReportRun& run : report.runs) {
        run.record.variant = variant.id;
        run.record.tunables = resolve(variant, {});
    }
    report.runs.front().record.choice.emplace();
    EXPECT_EQ(RecordedSource(report, true).run(report.runs.front().record), &report.runs.back().record);
}

TEST(Recorded, ceilingsAreTheNewestOfTheDeviceAskedFor) {
    std::vector<Report> reports(4);
    for (int i = 0; Report & report : reports) {
        report.device.name = i == 3 ? "other" : "this";
        report.environment.date = "2026-01-0" + std::to_string(i + 1);
        if (i++ != 2) report.limits.emplace();
    }
    const RecordedRuns runs(reports);
    const auto dateOf = [&](const char* device) {
        const Report* report = runs.withLimits(device);
        return report == nullptr ? "" : report->environment.date;
    };
    EXPECT_EQ(dateOf("this"), "2026-01-02") << "the third has none";
    EXPECT_EQ(dateOf("other"), "2026-01-04");
    EXPECT_EQ(dateOf(""), "2026-01-04");
    EXPECT_EQ(dateOf("none of them"), "");
}

TEST(Recorded, aBadFileCostsItselfAlone) {
    const test::TemporaryFolder folder;
    test::writeText(folder / "bad.json", "{");
    test::writeText(folder / "cpu.json", toJson(makeReport(test::cpuComparison())));
    test::writeText(folder / "good.json", recordedJson(8192, "2026-01-01T00:00:00Z"));
    const RecordedRuns runs = loadRecorded(folder.path());
    EXPECT_EQ(runs.all().size(), 1U);
    EXPECT_EQ(runs.problems().size(), 2U);
    EXPECT_TRUE(loadRecorded(folder.path() / "missing").empty());
}

TEST(Recorded, whatIsShippedIsSound) {
    const std::filesystem::path folder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / "recorded";
    const RecordedRuns runs = loadRecorded(folder);
    for (const std::string& problem : runs.problems()) ADD_FAILURE() << problem;
    std::vector<std::string> problems;
    for (const StoredSweep& stored : loadSweeps(folder, problems)) {
        EXPECT_TRUE(stored.sweep.device.ranks()) << stored.path;
        EXPECT_EQ(stored.sweep.cells.size(), stored.sweep.wanted()) << stored.path;
    }
    for (const std::string& problem : problems) ADD_FAILURE() << problem;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const std::string text = test::readText(entry.path());
        const bool sweep = entry.path().string().ends_with(kSweepEnding),
                   bench = nlohmann::json::parse(text).contains("cases");
        EXPECT_EQ(test::violation(sweep ? "sweep" : bench ? "bench" : "report", text), "") << entry.path();
    }
}

TEST(Recorded, theModelOfOccupancyGivesWhatTheRuntimeReported) {
    const std::filesystem::path folder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / "recorded";
    int compared = 0;
    const RecordedRuns runs = loadRecorded(folder);
    for (const Report& report : runs.all()) {
        for (const ReportRun& run : report.runs) {
            // Facts of several kernels are mixed: the largest of each.
            const auto needs =
                run.record.launch && run.record.launch->kernels == 1 ? needsOf(*run.record.launch) : std::nullopt;
            if (!needs) continue;
            ++compared;
            EXPECT_DOUBLE_EQ(occupancyOf(*needs, report.device)->share(), run.record.launch->occupancy)
                << report.family << " " << run.record.variant;
        }
    }
    EXPECT_GE(compared, 80);
}

}  // namespace warplens
