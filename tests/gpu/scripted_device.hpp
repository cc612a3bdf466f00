// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/device.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {

/// A GPU that holds nothing and whose clock goes on by what launches are said to take.
class ScriptedDevice final : public Device {
public:
    explicit ScriptedDevice(const std::string& name = "Scripted GPU", DeviceKind kind = DeviceKind::cuda) {
        m_info.id = "cuda:0";
        m_info.name = name;
        m_info.kind = kind;
    }
    double clockMs = 0;

    const DeviceInfo& info() const override { return m_info; }
    std::int64_t freeBytes() const override { return 0; }
    Buffer allocate(std::size_t bytes) override { return {*this, 1, bytes}; }
    void upload(const Buffer&, const void*, std::size_t) override {}
    void download(void*, const Buffer&, std::size_t) override {}
    void fill(const Buffer&, int) override {}
    void synchronize() override {}
    LaunchContext& context() override { throw Error(Error::Kind::internal, "nothing is launched here"); }
    double time(const std::function<void()>& work) override {
        const double before = clockMs;
        work();
        return clockMs - before;
    }
    /// How a launch went whose instance can be compiled; as on a GPU those beyond the first few go unnoticed.
    void note(const Specialisation& special) {
        constexpr std::size_t kMostLaunches = 16;
        if (m_noted.size() < kMostLaunches) m_noted.push_back(special);
    }
    LaunchFacts takeLaunchFacts() override {
        LaunchFacts facts{.kernels = static_cast<int>(m_noted.size())};
        for (const Specialisation& one : std::exchange(m_noted, {})) {
            const bool before = facts.special && facts.special->pending;
            facts.special = one;
            facts.special->pending = before || one.pending;
        }
        return facts;
    }
    void setStop(std::stop_token) override {}
    void setScheduling(const Scheduling&) override {}
    std::optional<Limits> limits() override { return std::nullopt; }
    std::optional<ClockState> clocks() override { return std::nullopt; }

private:
    void release(std::uint64_t) noexcept override {}
    DeviceInfo m_info;
    std::vector<Specialisation> m_noted;
};

/// What launches take, and what came of them.
struct Script {
    double otherwiseMs = 1;
    std::map<std::string, double> ms{};                                                          ///< by variant
    std::function<double(const std::string& variant, const TunableValues&, int launch)> also{};  ///< beside that
    std::set<std::string> refused{}, full{}, wrong{};                                            ///< variants
    std::set<std::string> graphs{};     ///< variants that record a graph, of whose launches nothing is noted
    std::set<std::string> compiling{};  ///< variants whose instance for the task is not there yet
    std::string fault{};                ///< a variant with which the device is lost
    int stopAfter = 0;                  ///< launches in all; 0: never
    std::stop_source stop{};

    std::vector<std::string> launched{};  ///< variants, in order
    std::map<std::string, int> launches{};
    int verified = 0;
};

class ScriptedProblem final : public Problem {
public:
    ScriptedProblem(Script& script, Traits traits) : m_script(script), m_traits(std::move(traits)) {}

    Work work() const override { return {}; }
    Traits traits() const override { return m_traits; }
    std::vector<std::string> facts() const override { return {}; }
    std::string refusal(const Variant& variant, const TunableValues&, const DeviceInfo&) const override {
        return m_script.refused.contains(variant.id) ? variant.id + " is refused" : "";
    }
    Footprint footprint(const Variant&, const TunableValues&) const override { return {}; }
    std::unique_ptr<Session> open(Device& device, Resident&) const override {
        return std::make_unique<Scripted>(m_script, dynamic_cast<ScriptedDevice&>(device));
    }
    Result runLibrary(const Variant&, double&, std::stop_token) const override { return {}; }
    Verification verify(const Result&, const Variant& variant, std::stop_token) const override {
        ++m_script.verified;
        Verification check;
        check.checkedShare = 1;
        if (m_script.wrong.contains(variant.id)) {
            check.mismatches = 1;
            check.firstMismatch = "x 0 y 0: 1 instead of 2";
        }
        return check;
    }

private:
    class Scripted final : public Session {
    public:
        Scripted(Script& script, ScriptedDevice& device) : m_script(script), m_device(device) {}
        void prepare(const Variant& variant, const TunableValues& tunables) override {
            if (m_script.full.contains(variant.id)) throw Error(Error::Kind::outOfMemory, "full");
            m_variant = variant.id;
            m_tunables = tunables;
        }
        void launch() override {
            Script& script = m_script;
            if (script.fault == m_variant) throw Error(Error::Kind::fault, "gone");
            script.launched.push_back(m_variant);
            const int count = ++script.launches[m_variant];
            const auto known = script.ms.find(m_variant);
            m_device.clockMs += known == script.ms.end() ? script.otherwiseMs : known->second;
            const bool pending = script.compiling.contains(m_variant);
            const bool graph = count > 1 && script.graphs.contains(m_variant);
            if (!graph) m_device.note({.used = !pending, .pending = pending});
            if (script.also) m_device.clockMs += script.also(m_variant, m_tunables, count);
            if (static_cast<int>(script.launched.size()) == script.stopAfter) script.stop.request_stop();
        }
        void poisonOutput() override {}
        Result download(double&, double&) override { return {}; }

    private:
        Script& m_script;
        ScriptedDevice& m_device;
        std::string m_variant;
        TunableValues m_tunables;
    };

    Script& m_script;
    Traits m_traits;
};

}  // namespace warplens::gpu::testing
