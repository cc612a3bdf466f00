// SPDX-License-Identifier: Apache-2.0
// A library on the host that takes too long is left out of a race, and a stop of the whole is another thing.
#include "gpu/run/race.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace warplens::gpu::testing {
namespace {

/// A problem whose libraries never end by themselves.
class Endless final : public Problem {
public:
    explicit Endless(std::unique_ptr<Problem> inner) : m_inner(std::move(inner)) {}

    Work work() const override { return m_inner->work(); }
    Traits traits() const override { return m_inner->traits(); }
    std::vector<std::string> facts() const override { return m_inner->facts(); }
    std::string refusal(const Variant& variant, const TunableValues& t, const DeviceInfo& device) const override {
        return m_inner->refusal(variant, t, device);
    }
    Footprint footprint(const Variant& variant, const TunableValues& t) const override {
        return m_inner->footprint(variant, t);
    }
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override {
        return m_inner->open(device, resident);
    }
    Result runLibrary(const Variant&, double&, std::stop_token stop) const override {
        if (whole != nullptr) whole->request_stop();
        while (!stop.stop_requested()) std::this_thread::yield();
        throw Error(Error::Kind::cancelled, "stopped");
    }
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override {
        return m_inner->verify(result, variant, std::move(stop));
    }

    std::stop_source* whole = nullptr;  ///< asked to stop once a library runs

private:
    std::unique_ptr<Problem> m_inner;
};

class RaceOnTheHost : public ::testing::Test {
protected:
    RaceOnTheHost() {
        for (const char* id : {"opencv", "naive"}) {
            const Variant& variant = variantOf(m_family, id);
            m_entrants.push_back({&variant, makeRunRecord(m_family.id(), m_problem, variant, {}, m_device->info())});
        }
    }
    void race(double hostSeconds) {
        RacePolicy policy;
        policy.timing = {.minimumSamples = 1, .maximumSamples = 1};
        policy.hostSeconds = hostSeconds;
        Race(m_problem, *m_device, m_residents, policy).run(m_entrants, m_whole.get_token());
    }

    const Family& m_family = familyOf("convolution");
    std::unique_ptr<Device> m_device = openDevice("cpu");
    Endless m_problem{m_family.pose(noise({24, 24}, io::PixelType::u8), {})};
    std::vector<std::unique_ptr<Resident>> m_residents;
    std::vector<TimedVariant> m_entrants;
    std::stop_source m_whole;
};

TEST_F(RaceOnTheHost, ALibraryThatTakesTooLongIsLeftOut) {
    race(0.01);
    EXPECT_EQ(m_entrants[0].record.status, Status::unsupported);
    EXPECT_EQ(m_entrants[0].record.reason, "left out: the library takes more than 0.01 s here");
    EXPECT_FALSE(m_entrants[0].record.time);
    EXPECT_EQ(m_entrants[1].record.status, Status::ok) << describe(m_entrants[1].record);
}

TEST_F(RaceOnTheHost, AStopOfTheWholeEndsIt) {
    m_problem.whole = &m_whole;
    for (const double seconds : {0.0, 1000.0}) {
        try {
            race(seconds);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::cancelled);
        }
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
