// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/record.hpp"
#include "gpu/device/device_info.hpp"
#include "gpu/device/device_names.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

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

TEST(DeviceNames, AListIsItsDevicesInItsOrderOrOneLine) {
    const DeviceList known{
        .devices = {device("cuda:0", DeviceKind::cuda, "GPU-aa"), device("cuda:1", DeviceKind::cuda, "GPU-bb"),
                    device("cuda:2", DeviceKind::cuda, "GPU-cc"), device("cpu", DeviceKind::simt, "")},
        .whyNoCuda = {}};
    const DeviceList alone{.devices = {known.devices.back()}, .whyNoCuda = "No driver."};
    using Ids = std::vector<std::string>;
    const auto refusal = [](const std::string& names, const DeviceList& list) -> std::string {
        try {
            deviceIds(names, list);
        } catch (const Error& error) {
            return (error.kind() == Error::Kind::noDevice ? "none: " : "") + std::string(error.what());
        }
        return "accepted";
    };
    EXPECT_EQ(deviceIds("cuda:all", known), (Ids{"cuda:0", "cuda:1", "cuda:2"}));
    EXPECT_EQ(deviceIds("cuda:2,GPU-aa", known), (Ids{"cuda:2", "cuda:0"}));
    EXPECT_EQ(deviceIds("cuda,cuda:1", known), (Ids{"cuda:0", "cuda:1"}));
    EXPECT_EQ(deviceIds("cpu,cpu,cpu", alone), (Ids{"cpu", "cpu", "cpu"}));
    EXPECT_EQ(deviceIds("cuda:1", known), Ids{"cuda:1"});
    for (const char* twice : {"cuda:0,cuda:0", "cuda:0,GPU-aa", "cuda,cuda:0", "cuda:all,cuda:0", "cuda:0,cuda:all"})
        EXPECT_EQ(refusal(twice, known),
                  "devices '" + std::string(twice) + "': cuda:0 is named twice: name each GPU once");
    for (const char* mixed : {"cuda:0,cpu", "cpu,cuda:all"})
        EXPECT_NE(refusal(mixed, known).find("name devices of one kind"), std::string::npos) << mixed;
    for (const char* empty : {"cpu,,cpu", "cpu,", ",cpu", ","})
        EXPECT_NE(refusal(empty, known).find("a name is empty"), std::string::npos) << empty;
    EXPECT_EQ(refusal("cuda:0,cuda:3", known), "none: no device 'cuda:3': choose from cuda:0, cuda:1, cuda:2, cpu");
    EXPECT_EQ(refusal("cuda:all", alone), "none: no device 'cuda:all': choose from cpu. No driver.");
    for (const char* one : {"", "cpu", "cuda:99", "GPU-x"}) {
        EXPECT_FALSE(namesSeveral(one)) << one;
        EXPECT_EQ(deviceIds(one), Ids{one}) << "as it is: opening it says what is wrong";
    }
    for (const char* several : {"cuda:all", "cpu,cpu", "a,", ","}) EXPECT_TRUE(namesSeveral(several)) << several;
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
