// SPDX-License-Identifier: Apache-2.0
#include "io/memory.hpp"

#include "tests/support/sanitized.hpp"

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <new>

namespace warplens::io::testing {
namespace {

struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
};

TEST(Memory, IsAlignedForVectorsAndForLargePages) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{65}, kManyBytes - 1,
                                    kManyBytes, kManyBytes + 1}) {
        const std::unique_ptr<std::byte, Free> memory(allocate(bytes));
        ASSERT_NE(memory, nullptr) << bytes;
        const auto at = reinterpret_cast<std::uintptr_t>(memory.get());
        EXPECT_EQ(at % (bytes < kManyBytes ? 64 : kLargePage), 0U) << bytes;
        if (bytes == 0) continue;
        memory.get()[0] = memory.get()[bytes - 1] = std::byte{7};
    }
}

TEST(Memory, SaysWhenThereIsNone) {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    EXPECT_THROW(std::free(allocate(most)), std::bad_alloc) << "rounded up it is 0";
    if (warplens::testing::kSanitized) GTEST_SKIP() << "the sanitizer ends the process where so much is asked for";
    EXPECT_THROW(std::free(allocate(most / 4)), std::bad_alloc);
}

}  // namespace
}  // namespace warplens::io::testing
