// SPDX-License-Identifier: Apache-2.0
// What cannot be provoked from outside: a kernel that is wrong or fails.
#include "app/cli/exit_status.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/request_options.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::cli {

namespace {

gpu::RunRecord row(gpu::Status status, gpu::Variant::Kind kind = gpu::Variant::Kind::kernel) {
    gpu::RunRecord record;
    record.status = status;
    record.kind = kind;
    return record;
}

template <class Error>
int statusOfError(const Error& error) {
    testing::internal::CaptureStderr();
    const int status = report(std::make_exception_ptr(error));
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
    return status;
}

}  // namespace

// Results are kept for those who will look at them: a folder of pictures, a report that shows them.
TEST(Request, keepsPicturesThatSomebodyReads) {
    struct Case {
        std::string output;
        std::vector<std::string> reports;
        bool keeps;
    };
    for (const Case& one : {Case{"", {}, false}, Case{"", {"r.json"}, false}, Case{"", {"r.csv", "r.md"}, false},
                            Case{"", {"r.html"}, true}, Case{"", {"r.csv", "r.html"}, true}, Case{"folder", {}, true},
                            Case{"folder", {"r.json"}, true}}) {
        CLI::App app;
        RequestOptions options(app);
        app.parse("gen:noise:8x8:f32 convolution");
        options.output = one.output;
        options.reports = one.reports;
        EXPECT_EQ(options.request().keepPictures, one.keeps) << one.output << " " << one.reports.size();
    }
}

TEST(ExitStatus, ofRecords) {
    using gpu::Status;
    gpu::Comparison comparison;
    comparison.runs = {row(Status::ok), row(Status::unsupported)};
    EXPECT_EQ(statusOf(comparison), 0);
    comparison.runs.push_back(row(Status::wrong));
    EXPECT_EQ(statusOf(comparison), 1);
    comparison.runs.push_back(row(Status::failed));
    EXPECT_EQ(statusOf(comparison), 4);
    comparison.interrupted = true;
    EXPECT_EQ(statusOf(comparison), 130);
}

TEST(ExitStatus, aVariantThatIsWrongOnPurposeSetsItAsAnyDoes) {
    gpu::Comparison comparison;
    comparison.runs = {row(gpu::Status::wrong)};
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Variant& variant : family->variants()) {
            if (!gpu::isIntentionallyWrong(variant)) continue;
            comparison.runs[0].family = family->id();
            comparison.runs[0].variant = variant.id;
            EXPECT_EQ(statusOf(comparison), 1) << variant.id;
            EXPECT_THAT(whyNotFine(comparison.runs), testing::HasSubstr("on purpose")) << variant.id;
        }
    }
}

TEST(ExitStatus, libraryRowsNeverSetIt) {
    gpu::Comparison comparison;
    comparison.runs = {row(gpu::Status::wrong, gpu::Variant::Kind::library),
                       row(gpu::Status::failed, gpu::Variant::Kind::library)};
    EXPECT_EQ(statusOf(comparison), 0);
}

TEST(ExitStatus, aPortableRowSetsItWhereItIsWrongAndNotWhereItsDriverFails) {
    gpu::Comparison comparison;
    comparison.runs = {row(gpu::Status::failed, gpu::Variant::Kind::portable),
                       row(gpu::Status::unsupported, gpu::Variant::Kind::portable)};
    EXPECT_EQ(statusOf(comparison), 0);
    comparison.runs.push_back(row(gpu::Status::wrong, gpu::Variant::Kind::portable));
    EXPECT_EQ(statusOf(comparison), 1);
}

TEST(ExitStatus, ofErrors) {
    using Gpu = gpu::Error::Kind;
    for (const auto& [kind, status] : {std::pair{Gpu::argument, 2},
                                       {Gpu::unsupported, 2},
                                       {Gpu::noDevice, 4},
                                       {Gpu::driverTooOld, 4},
                                       {Gpu::outOfMemory, 4},
                                       {Gpu::fault, 4},
                                       {Gpu::divergentBarrier, 4},
                                       {Gpu::deadlock, 4},
                                       {Gpu::cancelled, 130},
                                       {Gpu::internal, 4}}) {
        EXPECT_EQ(statusOfError(gpu::Error(kind, "two\nlines")), status);
    }
    using Io = io::Error::Kind;
    for (const auto& [kind, status] : {std::pair{Io::unreadable, 3},
                                       {Io::unwritable, 3},
                                       {Io::unsupported, 3},
                                       {Io::limit, 3},
                                       {Io::argument, 2},
                                       {Io::cancelled, 130}}) {
        EXPECT_EQ(statusOfError(io::Error(kind, "message")), status);
    }
    EXPECT_EQ(statusOfError(ArgumentError("message")), 2);
    EXPECT_EQ(statusOfError(std::bad_alloc()), 4);
}

TEST(UniqueNames, areUniqueAndHoldNoSeparator) {
    UniqueNames stems;
    EXPECT_EQ(stems.next("one/photo.png"), "photo");
    EXPECT_EQ(stems.next("two/photo.tif"), "photo-2");
    EXPECT_EQ(stems.next("gen:noise:8x8:u8"), "gen_noise_8x8_u8");
    EXPECT_EQ(stems.next("raw:some/where/ct.bin:8x8:u8"), "raw_ct");
    EXPECT_EQ(stems.next("scans/head/"), "head");
}

TEST(ReportName, holdsTheInput) { EXPECT_EQ(reportNameFor("out/R.json", "photo"), "out/R.photo.json"); }

TEST(Inputs, severalFilesAreABatchAndOneIsNot) {
    EXPECT_FALSE(expandInputs({"a.png"}).batch);
    EXPECT_TRUE(expandInputs({"a.png", "b.png"}).batch);
    EXPECT_FALSE(expandInputs({"gen:noise:8x8:u8"}).batch);
}

}  // namespace warplens::cli
