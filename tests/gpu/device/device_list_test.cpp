// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/record.hpp"
#include "gpu/device/device_info.hpp"

#include <gtest/gtest.h>

namespace warplens::gpu {
namespace {

DeviceInfo device(const std::string& id, DeviceKind kind, const std::string& uuid) {
    DeviceInfo info;
    info.id = id;
    info.kind = kind;
    info.uuid = uuid;
    return info;
}

std::string idOf(const DeviceList& list, const std::string& wanted) {
    const DeviceInfo* found = list.find(wanted);
    return found == nullptr ? "none" : found->id;
}

TEST(DeviceList, FindsADeviceByAllItsNames) {
    const DeviceList both{
        .devices = {device("cuda:0", DeviceKind::cuda, "GPU-aa"), device("cuda:1", DeviceKind::cuda, "GPU-bb"),
                    device("cpu", DeviceKind::simt, "")},
        .whyNoCuda = {}};
    EXPECT_EQ(idOf(both, ""), "cuda:0") << "the default one";
    EXPECT_EQ(idOf(both, "cuda"), "cuda:0");
    EXPECT_EQ(idOf(both, "cuda:1"), "cuda:1");
    EXPECT_EQ(idOf(both, "GPU-bb"), "cuda:1");
    EXPECT_EQ(idOf(both, "cpu"), "cpu");
    for (const char* none : {"cuda:2", "cud", "simt", "GPU-cc", ":0"}) EXPECT_EQ(idOf(both, none), "none") << none;

    const DeviceList alone{.devices = {both.devices.back()}, .whyNoCuda = "no driver"};
    EXPECT_EQ(idOf(alone, ""), "cpu");
    EXPECT_EQ(idOf(alone, "cuda"), "none");
    EXPECT_EQ(idOf({}, ""), "none");
}

TEST(DeviceList, HasTheCpuLastAndAGpuBeforeIt) {
    const DeviceList list = listDevices();
    ASSERT_FALSE(list.devices.empty());
    EXPECT_EQ(list.devices.back().id, "cpu");
    EXPECT_EQ(list.devices.back().kind, DeviceKind::simt);
    EXPECT_EQ(list.find("cuda") == nullptr, !list.whyNoCuda.empty());
    EXPECT_EQ(list.find(""), &list.devices.front());
}

TEST(Names, OfDevicesAndClocksAreThoseOfReports) {
    EXPECT_STREQ(nameOf(DeviceKind::cuda), "cuda");
    EXPECT_STREQ(nameOf(DeviceKind::simt), "simt");
    EXPECT_STREQ(nameOf(Clock::device), "cuda-event");
    EXPECT_STREQ(nameOf(Clock::simulated), "cpu-simt");
    EXPECT_STREQ(nameOf(Clock::library), "cpu-library");
}

}  // namespace
}  // namespace warplens::gpu
