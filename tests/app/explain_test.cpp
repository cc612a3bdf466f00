// SPDX-License-Identifier: Apache-2.0
// warplens-cli explain, and what the window asks, through warplens-trace.
#include "app/trace/client.hpp"
#include "app/trace/protocol.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "io/generate.hpp"
#include "io/write.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace warplens::test {

using testing::HasSubstr;

namespace {

constexpr const char* kAccesses[] = {"global_load", "global_store", "shared_load", "shared_store", "constant"};

/// Accesses of single threads that were traced, not scaled to the whole picture: what an explanation costs.
double tracedAccesses(const nlohmann::json& counters) {
    double lanes = 0;
    for (const char* kind : kAccesses)
        if (counters[kind].is_object()) lanes += counters[kind].value("lanes", 0.0);
    return lanes * counters["traced_share"].get<double>();
}

/// An access is three words of the log, of which a launch may cost so many.
double allowedAccesses(const nlohmann::json& counters) {
    double launches = 0;
    for (const auto& kernel : counters["kernels"]) launches += kernel["launches"].get<double>();
    return launches * static_cast<double>(TraceProgram::kSampleWords) / 3;
}

}  // namespace

TEST(Explain, readsIntegersOf32BitsAsFloatsWhereThatIsAsked) {
    const TemporaryFolder folder;
    writeText(folder / "labels.raw", std::string(16 * 16 * 4, '\1'));
    const std::string picture = "raw:" + (folder / "labels.raw") + ":16x16:i32";
    EXPECT_EQ(cli({"explain", picture, "convolution", "--variants", "naive"}).status, 2);
    const Outcome outcome = cli({"explain", picture, "convolution", "--as", "f32", "--variants", "naive"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Explain, countsAVariantBesideItself) {
    const std::string id = "tiled_output@block_width=16";
    const Outcome outcome =
        cli({"explain", "gen:noise:64x64:f32", "convolution", "--variants", "tiled_output," + id, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("report", outcome.out), "");
    const auto runs = nlohmann::json::parse(outcome.out)["runs"];
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0]["id"], "tiled_output");
    EXPECT_EQ(runs[1]["id"], id);
    EXPECT_EQ(runs[1]["tunables"]["block_width"], 16);
    EXPECT_NE(runs[0]["counters"]["global_load"], runs[1]["counters"]["global_load"]) << "another halo";
    EXPECT_THAT(cli({"explain", "gen:noise:64x64:f32", "convolution", "--variants", id}).out, HasSubstr(id));
}

TEST(Explain, saysThatRowsArePaddedAsCompareDoes) {
    const std::vector<std::string> words{"gen:noise:67x40:f32", "convolution", "--variants", "naive,streamed"};
    const auto with = [&](const char* command, const std::vector<std::string>& more) {
        std::vector<std::string> all{command};
        all.insert(all.end(), words.begin(), words.end());
        all.insert(all.end(), more.begin(), more.end());
        return cli(all);
    };
    const std::string padded = "rows padded from 67 to 96 values on the device";
    const Outcome text = with("explain", {}), json = with("explain", {"--json"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("    " + padded + "\n"));
    EXPECT_EQ(text.out.find(padded), text.out.rfind(padded)) << "naive goes value by value";
    EXPECT_EQ(violation("report", json.out), "");
    const auto runs = nlohmann::json::parse(json.out)["runs"];
    EXPECT_TRUE(runs[0]["reason"].is_null());
    EXPECT_EQ(runs[1]["reason"], padded);
    const Outcome timed = with("compare", {"--device", "cpu", "--budget", "0.01", "--json"});
    const auto told = nlohmann::json::parse(timed.out)["runs"][1]["reason"].get<std::string>();
    EXPECT_EQ(told.substr(0, padded.size()), padded);
}

TEST(Explain, refusesLabelsInTheSentenceOfRunAndCompare) {
    const TemporaryFolder folder;
    io::Grid labels({40, 30, 1, 1}, io::PixelType::i32);
    std::fill_n(labels.as<std::int32_t>(), labels.shape().values(), -1);
    io::write(labels, folder / "labels.npy");
    for (const gpu::Family* family : gpu::families()) {
        if (family->info().wideIntegers) continue;
        const Outcome outcome = cli({"explain", folder / "labels.npy", family->id()});
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(family->id() + " takes u8, u16 and f32, and the picture holds i32"));
    }
}

TEST(Explain, everyConvolutionOfA512PictureWithinItsAllowance) {
    const TemporaryFolder folder;
    const Outcome outcome = cli({"explain", "gen:noise:512x512:f32", "convolution", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("naive"));
    EXPECT_THAT(outcome.out, HasSubstr("against constant:"));
    EXPECT_THAT(outcome.out, HasSubstr("counted by the trace (C)"));
    const std::string json = readText(folder / "r.json");
    EXPECT_EQ(violation("report", json), "");
    int counted = 0;
    const auto document = nlohmann::json::parse(json);
    for (const auto& run : document["runs"]) {
        const bool kernel = run["kind"] == "kernel" && run["status"] == "ok";
        EXPECT_EQ(run["counters"].is_null(), !kernel) << run["variant"];
        EXPECT_TRUE(run["time"].is_null()) << "counts are no times";
        if (!kernel) continue;
        ++counted;
        EXPECT_GT(run["counters"]["flops"], 0) << run["variant"];
        EXPECT_FALSE(run["counters"]["lines"].empty()) << run["variant"];
        EXPECT_FALSE(run["counters"]["branch_lines"].empty()) << run["variant"];
        EXPECT_TRUE(run["counters"]["findings"].empty()) << run["variant"];
        const double share = run["counters"]["traced_share"], traced = tracedAccesses(run["counters"]);
        // Branches take room in the log as well: two rows have one at every tap, or lines and barriers for every row.
        if (run["variant"] == "border_per_tap" || run["variant"] == "line_tiled")
            EXPECT_GT(share, 0.85) << run["variant"];
        else
            EXPECT_EQ(share, 1) << run["variant"] << ": it is small enough to be traced whole";
        EXPECT_GT(traced, 0) << run["variant"];
        EXPECT_LE(traced, allowedAccesses(run["counters"])) << run["variant"];
    }
    EXPECT_GE(counted, 9);
}

TEST(Explain, aLargerPictureCostsNoMoreThanItsAllowance) {
    for (const char* size : {"1024x1024", "4096x4096"}) {
        const Outcome outcome =
            cli({"explain", "gen:noise:" + std::string(size) + ":f32", "convolution", "--variants", "naive", "--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto counters = nlohmann::json::parse(outcome.out)["runs"][0]["counters"];
        EXPECT_LT(counters["traced_share"], 1) << size;
        EXPECT_LE(tracedAccesses(counters), allowedAccesses(counters)) << size;
        EXPECT_GT(tracedAccesses(counters), allowedAccesses(counters) / 4) << size << ": the allowance is used";
    }
}

TEST(Explain, readsItsOwnReport) {
    const TemporaryFolder folder;
    ASSERT_EQ(cli({"explain", "gen:noise:70x50:u8", "convolution", "--variants", "naive,tiled_output", "--report",
                   folder / "r.json"})
                  .status,
              0);
    EXPECT_EQ(cli({"diff", folder / "r.json", folder / "r.json"}).status, 0);
}

TEST(Explain, takesTunablesAndFamilies) {
    for (const char* family : {"convolution", "stencil", "histogram"}) {
        const Outcome outcome =
            cli({"explain", "gen:noise:64x48:f32", family, "--variants", "naive", "--set", "block_width=64", "--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto run = nlohmann::json::parse(outcome.out)["runs"][0];
        EXPECT_EQ(run["tunables"]["block_width"], 64);
        EXPECT_EQ(run["counters"]["kernels"][0]["block"][0], 64);
        EXPECT_GT(run["counters"]["traced_share"], 0.0);
    }
}

TEST(Explain, saysWhatIsMissingOrWrong) {
    const std::vector<std::string> arguments{"explain", "gen:noise:40x30:u8", "convolution"};
    const Outcome missing = cli(arguments, {{"WARPLENS_TRACE", "/nonexistent/warplens-trace"}});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(isOneLine(missing.err)) << missing.err;
    EXPECT_THAT(missing.err, HasSubstr("warplens-trace"));
    const Outcome crashing = cli(arguments, {{"WARPLENS_TRACE", "/bin/false"}});
    EXPECT_EQ(crashing.status, 4);
    EXPECT_TRUE(isOneLine(crashing.err)) << crashing.err;
    const Outcome device = cli({"explain", "gen:noise:40x30:u8", "convolution", "--device", "cuda"});
    EXPECT_EQ(device.status, 2);
    EXPECT_TRUE(isOneLine(device.err)) << device.err;
}

TEST(Explain, stopsAtOnce) {
    Program program(
        cliCommand({"explain", "gen:noise:4096x4096:f32", "convolution", "--radius", "15", "--every-block"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    const auto asked = std::chrono::steady_clock::now();
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(20));
    const std::chrono::duration<double> late = std::chrono::steady_clock::now() - asked;
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_LT(late.count(), 2.0) << "250 ms on an idle machine";
}

namespace {

gpu::Request requestFor(const std::string& variant) {
    gpu::Request request;
    request.input = std::make_shared<const io::Grid>(io::generate("gen:noise:64x48:f32"));
    request.family = "convolution";
    request.parameters = {{"radius", std::int64_t{2}}};
    request.variants = {variant};
    return request;
}

}  // namespace

TEST(TraceProgram, ReplaysOneWarpOverThePipe) {
    TraceProgram tracer;
    const auto warp = tracer.warp(requestFor("tiled_input"), {.kernel = {}, .x = 40, .y = 30}, {});
    EXPECT_EQ(warp.index, (std::array{1U, 1U, 0U})) << "tiles of 28 x 28";
    EXPECT_EQ(warp.warp, 30 - 28 + 2) << "a row of the input tile, which begins two rows higher";
    EXPECT_EQ(warp.lane, 40 - 28 + 2);
    const auto stores = std::ranges::count_if(warp.requests, [&](const gpu::WarpRequest& r) {
        const auto& site = warp.sites[static_cast<std::size_t>(r.site)];
        return site.operation == gpu::Operation::store && site.space == gpu::Space::global;
    });
    EXPECT_EQ(stores, 1);
    for (const auto& r : warp.requests) EXPECT_EQ(r.count.lanes, std::popcount(r.mask));
    // As it was sent.
    EXPECT_EQ(trace_protocol::warpOf(trace_protocol::Json::parse(trace_protocol::toJson(warp).dump())), warp);
}

TEST(TraceProgram, SendsTheMapOfLoads) {
    TraceProgram tracer;
    double told = 0;
    const auto map =
        tracer.loads(requestFor("constant"), {},
                     {.progress = [&](double fraction, const std::string&) { told = fraction; }, .record = {}});
    EXPECT_EQ(map.loads->value(0, 0), 9);
    EXPECT_EQ(map.loads->value(30, 20), 25);
    EXPECT_EQ(map.loads->value(63, 20), 15);
    EXPECT_GE(told, 0);
}

TEST(TraceProgram, RefusesAndStops) {
    TraceProgram tracer;
    EXPECT_THROW(tracer.warp(requestFor("constant"), {.kernel = {}, .x = 64, .y = 0}, {}), gpu::Error);
    EXPECT_THROW(tracer.warp(requestFor("opencv"), {}, {}), gpu::Error);
    EXPECT_THROW(tracer.loads(requestFor("no such variant"), {}, {}), gpu::Error);
    std::stop_source stop;
    stop.request_stop();
    try {
        tracer.loads(requestFor("constant"), stop.get_token(), {});
        ADD_FAILURE() << "it was stopped";
    } catch (const gpu::Error& error) {
        EXPECT_EQ(error.kind(), gpu::Error::Kind::cancelled);
    }
}

TEST(TraceProtocol, RefusesWhatIsNoJobAndNoWarp) {
    using trace_protocol::Json;
    const auto request = requestFor("constant");
    const trace_protocol::Job job{.question = trace_protocol::Question::warp,
                                  .query = {"kernel", 1, 2, 3},
                                  .family = "convolution",
                                  .parameters = request.parameters,
                                  .input = request.input,
                                  .runs = {{"constant", {}}},
                                  .sampleWords = 5};
    std::vector<std::shared_ptr<io::Grid>> pictures;
    const Json good = trace_protocol::toJson(job);
    const auto back = trace_protocol::jobOf(good, pictures);
    EXPECT_EQ(back.question, job.question);
    EXPECT_EQ(back.query, job.query);
    EXPECT_EQ(back.parameters, job.parameters);
    Json bad = good;
    bad["question"] = "anything";
    EXPECT_THROW(trace_protocol::jobOf(bad, pictures), std::runtime_error);
    for (const auto& [field, value] : good.items()) {
        Json without = good;
        without.erase(field);
        EXPECT_ANY_THROW(trace_protocol::jobOf(without, pictures)) << field;
    }
    const gpu::WarpTrace trace{.kernel = "k",
                               .grid = {},
                               .block = {},
                               .index = {},
                               .sites = {{.bytes = 4}},
                               .buffers = {},
                               .requests = {{.mask = 5, .count = {}}}};
    const Json warp = trace_protocol::toJson(trace);
    EXPECT_EQ(trace_protocol::warpOf(warp), trace);
    for (const auto& [at, value] : {std::pair{0, 1}, {0, -1}, {1, 0}, {1, -2}, {2, 1}, {2, 7}}) {
        Json wrong = warp;
        wrong["requests"][0][static_cast<std::size_t>(at)] = value;
        EXPECT_ANY_THROW(trace_protocol::warpOf(wrong)) << at << " = " << value;
    }
}

TEST(Explain, aTraceThatSaysNothingIsEnded) {
    const TemporaryFolder folder;
    writeText(folder / "trace", "#!/bin/sh\nexec sleep 1000\n");
    std::filesystem::permissions(folder / "trace", std::filesystem::perms::owner_all);
    ASSERT_EQ(setenv("WARPLENS_TRACE", (folder / "trace").c_str(), 1), 0);
    TraceProgram program(TraceProgram::kSampleWords, std::chrono::seconds(1));
    try {
        program.explain(requestFor("naive"), {}, {});
        ADD_FAILURE() << "it answered";
    } catch (const gpu::Error& error) {
        EXPECT_EQ(error.kind(), gpu::Error::Kind::internal);
        EXPECT_THAT(error.what(), HasSubstr("said nothing for 1 s"));
    }
    unsetenv("WARPLENS_TRACE");
    EXPECT_LE(TraceProgram::kSilence, std::chrono::minutes(10));
}

/// Each answer begins the silence anew: a trace that takes longer in all is not ended.
TEST(Explain, aTraceThatTellsOfItsWorkIsNotEnded) {
    using trace_protocol::Json;
    const TemporaryFolder folder;
    const auto put = [&](const char* name, const Json& message) {
        writeText(folder / name, trace_protocol::packed(message));
    };
    put("progress", {{"kind", "progress"}, {"fraction", 0.5}, {"what", "naive"}});
    put("done", {{"kind", "done"}});
    writeText(folder / "trace", "#!/bin/sh\ncd " + folder.path().string() +
                                    "\ncat >/dev/null\nfor i in 1 2 3 4 5; do sleep 1; cat progress; done\ncat done\n");
    std::filesystem::permissions(folder / "trace", std::filesystem::perms::owner_all);
    ASSERT_EQ(setenv("WARPLENS_TRACE", (folder / "trace").c_str(), 1), 0);
    TraceProgram program(TraceProgram::kSampleWords, std::chrono::seconds(4));
    EXPECT_NO_THROW(program.explain(requestFor("naive"), {}, {}));
    unsetenv("WARPLENS_TRACE");
}

/// Kilobytes that the kernel maps of a program before the loader runs: the end of its last loaded segment.
unsigned mappedKilobytes(const char* program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr head{};
    file.read(reinterpret_cast<char*>(&head), sizeof head);
    std::uint64_t end = 0;
    for (int i = 0; i < head.e_phnum; ++i) {
        Elf64_Phdr segment{};
        file.seekg(static_cast<std::streamoff>(head.e_phoff) + i * std::streamoff{sizeof segment});
        file.read(reinterpret_cast<char*>(&segment), sizeof segment);
        if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_vaddr + segment.p_memsz);
    }
    EXPECT_TRUE(file && end > 0) << program;
    return static_cast<unsigned>(end / 1024);
}

/// With so little memory some step fails, and which one is open; what it says must not be.
TEST(Explain, withLittleMemorySaysWhatIsMissing) {
    // The kernel itself ends, without a word, a program that it cannot map.
    const unsigned mapped = mappedKilobytes(WARPLENS_CLI);
    for (const unsigned kilobytes : {60000U, 100000U, 130000U, 150000U, 200000U, 300000U, 500000U, 1000000U}) {
        if (kilobytes < mapped) continue;
        const Outcome outcome = runProgram({"/bin/sh", "-c",
                                            "ulimit -v " + std::to_string(kilobytes) +
                                                "; exec " WARPLENS_CLI " explain gen:noise:64x64:f32 "
                                                "convolution --variants naive"},
                                           {{"XDG_CACHE_HOME", "/proc/nonexistent"}});
        // The loader's own message where not even the program itself has room.
        if (outcome.status == 0) continue;
        EXPECT_NE(outcome.err, "") << kilobytes << ": " << outcome.status;
        EXPECT_LT(outcome.status, 128) << kilobytes << ": " << outcome.err;
    }
}

TEST(Explain, aPortableRowIsNotTraced) {
    const Outcome outcome = cli({"explain", "gen:noise:19x17:f32", "stencil", "--variants", "naive,acc_resident"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, ::testing::HasSubstr("a portable variant is not CUDA and cannot be traced"));
}

}  // namespace warplens::test
