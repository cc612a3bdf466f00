// SPDX-License-Identifier: Apache-2.0
// Copies of our own variants, which run as their rows do.
#include "gpu/user/full_form.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "io/file.hpp"
#include "tests/support/devices.hpp"
#include "tests/worker/own_kernel.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

namespace warplens::worker::testing {
namespace {

std::string copyOf(const std::string& family, const std::string& variant) {
    const gpu::Variant& row = gpu::variantOf(gpu::familyOf(family), variant);
    const std::string text = io::readText(std::string(WARPLENS_SOURCE_DIR) + "/" + row.source, 1 << 20);
    return gpu::user::copyOf(gpu::familyOf(family), row, text);
}

/// Puts `to` where `from` stands, which is once.
std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A row and a task that it takes.
struct Row {
    std::string family, variant;
    gpu::ParameterValues parameters{};
    std::string picture{};
};

/// Tasks of all families, among which there is one for each row.
std::vector<std::pair<gpu::ParameterValues, std::string>> tasks() {
    std::vector<std::pair<gpu::ParameterValues, std::string>> all;
    for (const char* picture : {"gen:noise:96x80:u8", "gen:noise:64x33:f32:c=3", "gen:noise:24x20x9:u16"}) {
        all.push_back({{}, picture});
        for (const char* task : {"box", "equalise", "planar", "copy", "flip-x", "bank", "colours", "dct", "rotate",
                                 "sort", "quantiles", "open", "skeleton"})
            all.push_back({{{"task", std::string(task)}}, picture});
        all.push_back({{{"along", std::string("y")}}, picture});
        all.push_back({{{"bins", std::int64_t{16}}}, picture});
        all.push_back({{{"dimensions", std::string("3")}}, picture});
    }
    return all;
}

std::vector<Row> rowsOf(const gpu::Family& family) {
    std::vector<Row> rows;
    std::set<std::string> none;
    for (const gpu::Variant& variant : family.variants()) {
        if (variant.kind != gpu::Variant::Kind::kernel) continue;
        none.insert(variant.id);
        for (const auto& [parameters, picture] : tasks()) {
            try {
                const auto input = std::make_shared<const io::Grid>(io::generate(picture));
                const auto device = gpu::openDevice("cpu");
                const auto problem = family.pose(input, parameters);
                const auto tunables = problem->resolved(variant, {}, device->info());
                if (!problem->refusal(variant, tunables, device->info()).empty()) continue;
            } catch (const std::exception&) {
                continue;  // it has no such parameter
            }
            rows.push_back({family.id(), variant.id, parameters, picture});
            none.erase(variant.id);
            break;
        }
    }
    for (const std::string& variant : none)
        std::cout << family.id() << "/" << variant << ": no task of these" << std::endl;
    return rows;
}

gpu::RunRecord runCopy(const Row& row, const std::string& device = "cpu") {
    return runKernel(copyOf(row.family, row.variant), row.family, row.parameters, row.picture, {}, device);
}

/// What becomes of a copy: empty where it is right.
std::string runs(const Row& row, const std::string& device) {
    try {
        const gpu::RunRecord record = runCopy(row, device);
        if (record.status == gpu::Status::ok && record.verification && record.verification->mismatches == 0) return {};
        return std::string(nameOf(record.status)) + ": " + record.reason;
    } catch (const gpu::Error& error) {
        return std::string("error: ") + error.what();
    }
}

// By hand, on WARPLENS_DEVICE: each of them compiles for seconds. WARPLENS_FAMILY: only that one's.
TEST(ACopyOfAVariant, DISABLED_RunsWhicheverItIs) {
    const char *named = std::getenv("WARPLENS_DEVICE"), *only = std::getenv("WARPLENS_FAMILY");
    const std::string device = named != nullptr ? named : "cpu";
    std::map<std::string, int> counts;
    for (const gpu::Family* family : gpu::families()) {
        if (only != nullptr && family->id() != only) continue;
        for (const Row& row : rowsOf(*family)) {
            const std::string went = runs(row, device);
            ++counts[went.empty() ? "ok" : went.substr(0, went.find(':'))];
            if (!went.empty())
                std::cout << row.family << "/" << row.variant << " of " << row.picture << ": " << went << std::endl;
        }
        for (const auto& [what, count] : counts)
            std::cout << family->id() << ", " << what << ": " << count << std::endl;
    }
}

// One a mechanism: constants and a bound of its own, structs as values, look-back, shared steps, another result, types
// that the pictures do not name.
TEST(ACopyOfAVariant, IsVerifiedAndTimedLikeItsRow) {
    for (const Row& row : std::vector<Row>{{"convolution", "tensor_core", {}, "gen:noise:70x51:f32"},
                                           {"reduction", "fused", {}, "gen:noise:64x33:f32"},
                                           {"scan", "chained", {}, "gen:noise:64x33:u8"},
                                           {"watershed", "jumping", {}, "gen:noise:40x30:u8"},
                                           {"layout", "vectorised", {}, "gen:noise:24x20x9:u16"},
                                           {"elementwise",
                                            "vectorised",
                                            {{"task", std::string("copy")}, {"output-type", std::string("f32")}},
                                            "gen:noise:64x33:u8"}}) {
        const gpu::RunRecord record = runCopy(row);
        EXPECT_EQ(record.status, gpu::Status::ok) << row.family << "/" << row.variant << ": " << record.reason;
        EXPECT_TRUE(record.yours);
        EXPECT_EQ(record.variant, "my_kernel");
        ASSERT_TRUE(record.verification.has_value());
        EXPECT_EQ(record.verification->mismatches, 0);
        EXPECT_TRUE(record.time.has_value());
    }
}

class ACopyOfAVariantOnAGpu : public ::testing::Test {
protected:
    void SetUp() override { gpu::testing::requireDevice("cuda:0"); }
};

TEST_F(ACopyOfAVariantOnAGpu, IsVerifiedAndTimedLikeItsRow) {
    // Constants, an instance for the task alone, three dimensions, a texture, look-back, launches until nothing
    // changes.
    for (const Row& row : std::vector<Row>{
             {"convolution", "constant", {}, "gen:noise:300x200:f32"},
             {"convolution",
              "tiled_input",
              {{"filter", std::string("box")}, {"radius", std::int64_t{5}}},
              "gen:noise:300x200:f32"},
             {"convolution",
              "streamed",
              {{"filter", std::string("box")}, {"radius", std::int64_t{1}}, {"dimensions", std::string("3")}},
              "gen:noise:40x30x20:u8"},
             {"convolution", "texture", {}, "gen:noise:300x200:u8"},
             {"scan", "chained", {}, "gen:noise:300x200:u8"},
             {"watershed", "jumping", {}, "gen:noise:40x30:u8"}}) {
        const gpu::RunRecord record = runCopy(row, "cuda");
        EXPECT_EQ(record.status, gpu::Status::ok) << row.family << "/" << row.variant << ": " << record.reason;
        ASSERT_TRUE(record.verification.has_value());
        EXPECT_EQ(record.verification->mismatches, 0);
        EXPECT_TRUE(record.time.has_value());
        ASSERT_TRUE(record.launch.has_value());
        EXPECT_GT(record.launch->registers, 0);
    }
}

// A launcher is code of the host's, beside the driver: it may do no more there than elsewhere.
TEST_F(ACopyOfAVariantOnAGpu, HasALauncherThatIsConfined) {
    const std::string naive = copyOf("convolution", "naive"), launcher = "inline void launchNaive(";
    const auto said = [&](const std::string& does) {
        const std::string called = "extern \"C\" " + does.substr(0, does.find('|')) + "\n";
        const auto at = naive.find('{', naive.find(launcher));
        std::string text =
            naive.substr(0, at + 1) + " if (a.width > 200) " + does.substr(does.find('|') + 1) + naive.substr(at + 1);
        const auto space = text.find("namespace warplens");
        // What it is tried on before is smaller.
        return runKernel(text.insert(space, called), "convolution", {}, "gen:noise:300x200:f32", {}, "cuda").reason;
    };
    EXPECT_NE(said("int socket(int, int, int);|socket(2, 1, 0);").find("tries to open a socket"), std::string::npos);
    EXPECT_NE(said("int fork();|fork();").find("tries to start a process"), std::string::npos);
}

TEST(ACopyOfAVariant, HasKernelsThatAGpusCompilerIsAskedForByName) {
    using gpu::user::instanceNamed;
    EXPECT_EQ(instanceNamed("_ZN8warplens3gpu11convolution10user_build5naiveIhLi3EEEvNS2_6SourceIT_EENS2_6WindowIXT0_EE"
                            "ENS2_6TargetE"),
              "warplens::gpu::convolution::naive<unsigned char, 3>");
    EXPECT_EQ(instanceNamed("_ZN8warplens3gpu4rank10user_build4passILb1EEEvPKfPf"), "warplens::gpu::rank::pass<true>");
    EXPECT_EQ(instanceNamed("_ZN8warplens3gpu4rank10user_build4passEPKf"), "warplens::gpu::rank::pass");
    EXPECT_EQ(instanceNamed("_ZN12_GLOBAL__N_14passEPKf"), std::nullopt);
}

int lineOf(const std::string& text, const std::string& what) {
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(ACopyOfAVariant, IsNamedWhereItIsWrong) {
    const std::string tiled = copyOf("convolution", "tiled_output"), barrier = "    __syncthreads();  // the tile";
    const gpu::RunRecord race = runKernel(with(tiled, barrier, "    //"), "convolution");
    EXPECT_EQ(race.status, gpu::Status::wrong);
    EXPECT_NE(race.reason.find("data race: my_kernel "), std::string::npos) << race.reason;
    EXPECT_NE(race.reason.find("my_kernel.cuh:"), std::string::npos) << race.reason;
    EXPECT_NE(race.reason.find("with no barrier between them"), std::string::npos) << race.reason;

    // Some threads meet one more.
    const gpu::RunRecord divergent =
        runKernel(with(tiled, barrier, "    __syncthreads(); if (threadIdx.y == 0) __syncthreads();  //"));
    EXPECT_EQ(divergent.status, gpu::Status::wrong);
    const std::string place = "my_kernel.cuh:" + std::to_string(lineOf(tiled, barrier));
    EXPECT_NE(divergent.reason.find(place), std::string::npos) << place << ": " << divergent.reason;

    const std::string naive = copyOf("convolution", "naive"), stores = "    out.store(blockIdx.z, ";
    const std::string at = "at my_kernel.cuh:" + std::to_string(lineOf(naive, stores)) + ", in block ";
    const gpu::RunRecord beyond = runKernel(with(naive, stores, "    out.store(blockIdx.z + 1, "));
    EXPECT_EQ(beyond.status, gpu::Status::wrong);
    EXPECT_NE(beyond.reason.find("out of bounds: my_kernel writes 4 bytes"), std::string::npos) << beyond.reason;
    EXPECT_NE(beyond.reason.find("beyond the end of the output " + at), std::string::npos) << beyond.reason;

    // Those beyond a row's end write into the next one, which another block does as well.
    const gpu::RunRecord twice =
        runKernel(with(naive, "if (!out.contains(x, y)) return;", "if (y >= out.height) return;"));
    EXPECT_EQ(twice.status, gpu::Status::wrong);
    EXPECT_NE(twice.reason.find("data race: my_kernel writes a value of the output " + at), std::string::npos)
        << twice.reason;

    // One column to the right: right inside, wrong at every pixel.
    const gpu::RunRecord shifted = runKernel(
        with(naive, "windowSum(in, filter, window, x, y, inside)", "windowSum(in, filter, window, x + 1, y, false)"));
    EXPECT_EQ(shifted.status, gpu::Status::wrong);
    EXPECT_FALSE(shifted.time.has_value());
    EXPECT_NE(shifted.reason.find("values are wrong, the first at x 0 y 0"), std::string::npos) << shifted.reason;
}

std::string errorOf(const std::string& text, const std::string& family = "convolution") {
    try {
        return "ran: " + runKernel(text, family).reason;
    } catch (const gpu::Error& error) {
        return error.what();
    }
}

TEST(ACopyOfAVariant, NamesItsErrorsAtTheirLines) {
    const std::string naive = copyOf("convolution", "naive");
    const std::string store = "    out.store(blockIdx.z, x, y, windowSum(in";
    const std::string line = "my_kernel.cuh:" + std::to_string(lineOf(naive, store)) + ": ";
    EXPECT_EQ(errorOf(with(naive, store, "    out.store(blockIdx.z, x, why, windowSum(in")),
              line + "'why' was not declared in this scope");
    // Within a function of ours, which this line asks for.
    const std::string within = errorOf(with(naive, "windowSum(in, filter,", "windowSum(&in, filter,"));
    EXPECT_EQ(within.find(line), 0U) << within;
    EXPECT_EQ(within.find('\n'), std::string::npos) << within;

    const std::string other = errorOf(naive, "stencil");
    EXPECT_EQ(other, "my_kernel.cuh:" + std::to_string(lineOf(naive, "naive_entry()")) +
                         ": a copy of convolution/naive does nothing of stencil: begin with a copy of one of its "
                         "variants");
}

TEST(ACopyOfAVariant, HasTheTunablesOfItsRow) {
    const std::string text = copyOf("convolution", "naive");
    const gpu::RunRecord given = runKernel(text, "convolution", {}, "gen:noise:40x30:u8", {{"block_width", 16}});
    EXPECT_EQ(given.tunables.at("block_width"), 16) << given.reason;
    EXPECT_EQ(given.launch->block[0], 16);
    // Another default, in its head.
    const gpu::RunRecord declared = runKernel("// tunable block_width = 64 (8..64)\n" + text);
    EXPECT_EQ(declared.tunables.at("block_width"), 64) << declared.reason;
    EXPECT_EQ(declared.launch->block[0], 64);
    EXPECT_EQ(errorOf("// tunable block_width = 5000 (8..9000)\n" + text).find("my_kernel.cuh:1: "), 0U);
    EXPECT_EQ(errorOf("// tunable depth = 33 (8..64)\n" + text), "my_kernel.cuh:1: naive has no tunable 'depth'");
}

}  // namespace
}  // namespace warplens::worker::testing
