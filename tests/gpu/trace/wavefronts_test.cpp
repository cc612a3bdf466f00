// SPDX-License-Identifier: Apache-2.0
// Wavefronts of single accesses against those that ncu read of a GPU: neighbours, gaps, broadcasts, random places, some
// lanes only; 4, 8 and 16 bytes a lane; loads and stores.
#include "gpu/trace/lane_log.hpp"
#include "gpu/trace/tally.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace warplens::gpu::trace {
namespace {

TEST(Wavefronts, AreThoseThatTheHardwareCounted) {
    std::istringstream text(
        test::readText(std::filesystem::path(WARPLENS_SOURCE_DIR) / "tests/gpu/ncu/wavefronts.csv"));
    int accesses = 0;
    for (std::string line; std::getline(text, line);) {
        if (line.empty() || (line[0] != '0' && line[0] != '1')) continue;
        std::istringstream fields(line);
        unsigned store = 0, bytes = 0;
        std::uint32_t mask = 0;
        std::int64_t hardware = 0;
        char comma = 0;
        fields >> store >> comma >> bytes >> comma >> std::hex >> mask >> std::dec >> comma >> hardware >> comma;
        std::vector<LoggedAccess> active;
        for (unsigned lane = 0; lane < 32; ++lane) {
            std::uint64_t place = 0;
            fields >> place;
            if ((mask >> lane & 1U) == 0) continue;
            active.push_back({.address = place * bytes,
                              .size = bytes,
                              .space = Space::shared,
                              .operation = store != 0 ? Operation::store : Operation::load});
        }
        ASSERT_TRUE(fields) << line;
        AccessCount count;
        countRequest(active, mask, count);
        EXPECT_EQ(count.wavefronts, hardware) << line;
        ++accesses;
    }
    EXPECT_EQ(accesses, 435);
}

}  // namespace
}  // namespace warplens::gpu::trace
