// SPDX-License-Identifier: Apache-2.0
// Each atomic is one request of its lanes, whatever it does, and what lanes do together leaves no trace but its result.
#include "gpu/trace/trace_device.hpp"
#include "tests/gpu/device/warp_words_kernels.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace warplens::gpu::testing {
inline namespace trace_build {
WarpWordsKernels warpWordsKernels();
}

namespace {

class TraceOfWords : public ::testing::Test {
protected:
    template <class T>
    T* zeros(std::size_t count) {
        m_buffers.push_back(m_device.allocate(count * sizeof(T)));
        m_device.fill(m_buffers.back(), 0);
        return static_cast<T*>(m_device.context().address(m_buffers.back().handle()));
    }
    template <class F>
    Counters trace(F work) {
        auto counters = m_device.trace(work, m_buffers.front(), {.whole = true});
        for (const auto& finding : counters.findings) ADD_FAILURE() << finding.check << ": " << finding.message;
        return counters;
    }

    trace::TraceDevice m_device;
    std::vector<Buffer> m_buffers;
    WarpWordsKernels m_kernels = trace_build::warpWordsKernels();
};

TEST_F(TraceOfWords, EachAtomicIsOneRequest) {
    auto* const after = zeros<AtomicWords<Wide>>(1);
    auto* const before = zeros<AtomicWords<Wide>>(1);
    const auto c = trace([&] { m_kernels.ofWide(m_device.context(), 3, 5, after, before); });
    EXPECT_EQ(c.globalAtomics.requests, 8);
    EXPECT_EQ(c.globalAtomics.threadBytes, 8 * 8);
    EXPECT_EQ(after->both, 1U);
    EXPECT_EQ(after->odd, 6U);
}

TEST_F(TraceOfWords, TheOtherAtomicsAsWell) {
    auto* const after = zeros<unsigned>(5);
    auto* const before = zeros<unsigned>(5);
    auto* const wide = zeros<long long>(2);
    const auto c = trace([&] { m_kernels.others(m_device.context(), 3, 5, after, before, wide); });
    EXPECT_EQ(c.globalAtomics.requests, 7);
    EXPECT_EQ(c.globalAtomics.threadBytes, 5 * 4 + 2 * 8);
}

TEST_F(TraceOfWords, AtomicsOfManyBlocksAreNoRace) {
    auto* const cells = zeros<unsigned>(9);
    const auto c = trace([&] { m_kernels.contended(m_device.context(), 7, cells); });
    EXPECT_GE(c.globalAtomics.lanes, 9 * 7 * 96);
    EXPECT_EQ(cells[5], 3U * 7 * 96);
}

TEST_F(TraceOfWords, LanesOfEveryMaskReadTheirValuesAndWriteTheirWords) {
    const std::vector<unsigned> list{~0U, 1U, 0x80000000U, 0x55555555U, 0xffff0000U};
    auto* const masks = zeros<unsigned>(list.size());
    auto* const values = zeros<unsigned>(32);
    auto* const out = zeros<LaneWords>(32 * list.size());
    std::copy(list.begin(), list.end(), masks);
    const auto c = trace([&] { m_kernels.together(m_device.context(), 5, masks, values, out); });
    EXPECT_EQ(c.globalLoad.requests, 5 * 2);  // the mask and the value, by all lanes
    EXPECT_EQ(c.globalAtomics.requests, 0);
    for (std::size_t block = 0; block < list.size(); ++block) {
        for (unsigned lane = 0; lane < 32; ++lane)
            EXPECT_EQ(out[block * 32 + lane].anyMatch, (list[block] >> lane & 1U) != 0 ? list[block] : 0U);
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
