// SPDX-License-Identifier: Apache-2.0
#include "app/cli/byte_size.hpp"
#include "app/cli/exit_status.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/runner.hpp"
#include "io/generate.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {

using testing::HasSubstr;

TEST(MemoryLimit, readsSizesInThousandsAndIn1024s) {
    const std::pair<const char*, std::int64_t> sizes[] = {
        {"1", 1},
        {"800000", 800000},
        {"1GB", 1'000'000'000},
        {"1.5 gb", 1'500'000'000},
        {"512MiB", 512LL << 20},
        {"2 KiB", 2048},
        {"3kB", 3000},
        {"1e6", 1'000'000},
        {"1TB", 1'000'000'000'000},
        {"1TiB", 1LL << 40},
        {"7 B", 7},
        {"0.5kb", 500},
    };
    for (const auto& [text, bytes] : sizes) EXPECT_EQ(cli::parseByteSize("--memory-limit", text), bytes) << text;
    for (const char* text : {"", "GB", "1XB", "0", "-1GB", "0.1", "nan", "inf", "1e30", "1GB2", "1 G B x"}) {
        EXPECT_THROW(cli::parseByteSize("--memory-limit", text), cli::ArgumentError) << text;
    }
}

TEST(MemoryLimit, cutsAVolumeIntoSlabsAndSaysSo) {
    const std::vector<std::string> arguments{"compare",     "gen:noise:32x24x20:f32",
                                             "convolution", "--dimensions",
                                             "3",           "--radius",
                                             "1",           "--variants",
                                             "naive",       "--device",
                                             "cpu",         "--json"};
    auto limited = arguments;
    limited.insert(limited.end(), {"--memory-limit", "40kB"});
    const Outcome whole = cli(arguments), cut = cli(limited);
    ASSERT_EQ(whole.status, 0) << whole.err;
    ASSERT_EQ(cut.status, 0) << cut.err;
    EXPECT_EQ(violation("report", cut.out), "");
    const auto before = nlohmann::json::parse(whole.out), after = nlohmann::json::parse(cut.out);
    EXPECT_TRUE(before["plan"].is_null());
    EXPECT_EQ(after["plan"], "20 slabs of 1 slice, halo 1, 30.8 kB on the device");
    EXPECT_EQ(after["runs"][0]["status"], "ok");
    EXPECT_EQ(after["runs"][0]["result"], before["runs"][0]["result"]);
    limited.erase(std::find(limited.begin(), limited.end(), "--json"));
    EXPECT_THAT(cli(limited).out, HasSubstr("Slab by slab: 20 slabs of 1 slice"));
    // Of slabs that overlap a kernel's time says little: how long all of it took is told as well.
    const Outcome overlapped = cli({"run", "gen:noise:24x20x19:f32", "convolution", "--dimensions", "3", "--radius",
                                    "1", "--variant", "naive", "--device", "cpu", "--memory-limit", "85kB"});
    EXPECT_THAT(overlapped.out,
                testing::ContainsRegex("slabs of [0-9]+ slices?, halo 1, .* on the device, overlapped"));
    EXPECT_THAT(overlapped.out, testing::ContainsRegex("overlapped: .* ms in all, its busiest engine .* exposed"));
}

TEST(MemoryLimit, tooSmallIsADeviceErrorThatSaysHowMuchIsNeeded) {
    const Outcome outcome =
        cli({"run", "gen:noise:32x24x20:f32", "convolution", "--device", "cpu", "--memory-limit", "1kB"});
    EXPECT_EQ(outcome.status, 4);
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("may be used: raise the memory limit"));
    EXPECT_EQ(cli({"run", "gen:noise:8x8:u8", "convolution", "--memory-limit", "much"}).status, 2);
}

/// Pictures go over by rows, in every form of report, and to the same file.
TEST(MemoryLimit, cutsAPictureIntoRowsAndSaysSo) {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& out, std::vector<std::string> more) {
        std::vector<std::string> all{"run",       "gen:noise:100x90:u8:c=3",
                                     "rank",      "--radius",
                                     "2",         "--variant",
                                     "naive",     "--device",
                                     "cpu",       "-o",
                                     folder / out};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = cli(all);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.out;
    };
    run("whole.npy", {});
    run("cut.npy", {"--memory-limit", "30kB", "--report", folder / "r.json"});
    EXPECT_EQ(readText(folder / "cut.npy"), readText(folder / "whole.npy"));
    const auto report = nlohmann::json::parse(readText(folder / "r.json"));
    EXPECT_THAT(std::string(report["plan"]),
                testing::MatchesRegex("[0-9]+ slabs of [0-9]+ rows, halo 2, .* on the device"));
    run("cut.npy", {"--memory-limit", "30kB", "--report", folder / "r.md"});
    EXPECT_THAT(readText(folder / "r.md"), HasSubstr("Slab by slab: "));
}

/// What the message says is true: with as much memory the call works.
TEST(MemoryLimit, aRowThatIsTooLargeAndTheBytesItNeedsSuffice) {
    for (const char* family : {"convolution", "stencil", "histogram"}) {
        for (const char* picture : {"gen:noise:100x90:u8", "gen:noise:100x90:f32", "gen:noise:100x90:u16:c=3"}) {
            const auto with = [&](const std::string& limit) {
                return cli({"run", picture, family, "--device", "cpu", "--memory-limit", limit});
            };
            const Outcome refused = with("300");
            EXPECT_EQ(refused.status, 4) << family << picture;
            EXPECT_TRUE(isOneLine(refused.err)) << refused.err;
            EXPECT_THAT(refused.err, HasSubstr("one row"));
            EXPECT_THAT(refused.err, testing::Not(HasSubstr("volume")));
            EXPECT_THAT(refused.err, testing::Not(HasSubstr("slice")));
            std::string needs = refused.err.substr(refused.err.find("needs ") + 6);
            needs.resize(needs.find(' '));
            const Outcome enough = with(needs);
            EXPECT_EQ(enough.status, 0) << family << " " << picture << " " << needs << ": " << enough.err;
        }
    }
}

namespace {

/// What a row says to so much memory; empty where it runs.
std::string refusalOf(gpu::Runner& runner, gpu::Request request, std::int64_t bytes) {
    request.memoryCap = bytes;
    try {
        return runner.run(request).runs.front().reason;
    } catch (const gpu::Error& error) {
        return error.what();
    }
}

/// The bytes that a refusal asks for; 0 where it is another.
std::int64_t bytesIn(const std::string& refusal) {
    const std::string before = "the picture needs ";
    const auto at = refusal.find(before);
    return at == std::string::npos ? 0 : std::stoll(refusal.substr(at + before.size()));
}

}  // namespace

/// The same of every row of families whose rows need memory of their own: what is asked for suffices, and where others
/// fit and a row does not, its own message is as true.
TEST(MemoryLimit, whatARowNeedsForItselfIsInTheFigure) {
    const auto input = std::make_shared<const io::Grid>(io::generate("gen:gradient:40x32:u16:c=3"));
    const auto mask = std::make_shared<const gpu::NamedGrid>(
        gpu::NamedGrid{"mask", std::make_shared<const io::Grid>(io::generate("gen:blobs:40x32:u8:cell=16"))});
    const std::vector<std::pair<std::string, gpu::ParameterValues>> requests{
        {"flood", {}},
        {"flood", {{"seeds", std::string("0,0;30,20")}, {"tolerance", 9000.0}}},
        {"sparse", {}},
        {"sparse", {{"matrix", std::string("diffusion")}}},
        {"sparse", {{"mask", mask}}},
        {"sparse", {{"mask", mask}, {"task", std::string("inpaint")}, {"tolerance", 0.5}}}};
    gpu::Runner runner;
    for (const auto& [family, parameters] : requests)
        for (const gpu::Variant& variant : gpu::familyOf(family).variants()) {
            gpu::Request request;
            request.input = input;
            request.family = family;
            request.parameters = parameters;
            request.variants = {variant.id};
            request.device = "cpu";
            request.timing = gpu::TimingPolicy::once();
            if (variant.kind != gpu::Variant::Kind::kernel || !refusalOf(runner, request, 0).empty()) continue;
            const std::int64_t needs = bytesIn(refusalOf(runner, request, 1000));
            EXPECT_GT(needs, 1000) << variant.id;
            EXPECT_EQ(refusalOf(runner, request, needs), "") << family << ' ' << variant.id;
            for (const std::int64_t part : {3, 2}) {
                const std::string less = refusalOf(runner, request, needs / part);
                if (less.empty()) continue;
                EXPECT_EQ(refusalOf(runner, request, bytesIn(less)), "") << variant.id << less;
            }
        }
}

}  // namespace warplens::test
