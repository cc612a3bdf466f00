// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/core/record.hpp"
#include "gpu/core/result.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/grid.hpp"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A problem on one device: input resident, output and scratch allocated. Not thread-safe.
class Session {
public:
    virtual ~Session() = default;
    /// What has to be there before the kernel runs: coefficients, scratch. Not timed.
    virtual void prepare(const Variant& variant, const TunableValues& tunables) = 0;
    /// The kernel or kernels alone. prepare() came first, with the same arguments.
    virtual void launch() = 0;
    /// One whole run: the milliseconds of its kernels alone, by the device's clock. A session that works slab by slab
    /// transfers every slab in it, untimed.
    virtual double pass(Device& device) {
        return device.time([this] { launch(); });
    }
    /// How the work is cut into slabs, as a sentence; empty when it lies on the device as a whole.
    virtual std::string plan() const {
        return {};
    }
    /// Fills the output with a pattern, so that an unwritten value cannot pass for a result.
    virtual void poisonOutput() = 0;
    /// Brings the result to the host; adds to the times in milliseconds.
    virtual Result download(double& layoutMs, double& downloadMs) = 0;
};

/// What decides which variant is fastest: kinds agree or do not, sizes are near or far.
struct Traits {
    struct Size {
        double value = 0;
        double weight = 1;  ///< distance an octave
    };
    std::map<std::string, std::string> kinds;  ///< "type": "f32"
    std::map<std::string, Size> sizes;         ///< "filter": 5
};

/// One picture with one set of parameters, shared by all variants of a request. Immutable after construction,
/// but for the reference, which is computed once, when it is first needed.
class Problem {
public:
    virtual ~Problem() = default;
    virtual Work work() const = 0;
    virtual Traits traits() const = 0;
    virtual std::vector<std::string> facts() const = 0;
    /// All tunables of a variant: those chosen, the rest at their defaults or fitted to this problem's size. Throws as
    /// resolve().
    virtual TunableValues resolved(const Variant& variant, const TunableValues& chosen) const {
        return resolve(variant, chosen);
    }
    /// Why this variant cannot run this problem on this device, or empty.
    virtual std::string refusal(const Variant& variant, const TunableValues& tunables,
                                const DeviceInfo& device) const = 0;
    /// How many times the bound of single precision a variant's own bound is: 1, or more where it computes in fewer
    /// bits.
    virtual double boundFactor(const Variant& /*variant*/) const {
        return 1;
    }
    /// Whether a wider bound can be seen in the result: not where it is rounded to bytes, half a level of error anyway.
    virtual bool widerBoundsShow() const {
        return true;
    }
    virtual Footprint footprint(const Variant& variant, const TunableValues& tunables) const = 0;
    virtual std::unique_ptr<Session> open(Device& device, Resident& resident) const = 0;
    /// Runs a library row on the host, timed inside, without conversions; an iteration can be stopped, a single call
    /// cannot. A library that runs on the GPU goes through the session instead, as a kernel does.
    virtual Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const = 0;
    virtual Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const = 0;
};

/// A kind of work: convolution, stencil, histogram.
class Family {
public:
    virtual ~Family() = default;
    virtual const std::string& id() const = 0;
    virtual const std::string& title() const = 0;
    virtual const std::vector<Parameter>& parameters() const = 0;
    virtual const std::vector<Variant>& variants() const = 0;
    /// Checks parameters against the picture. Throws Error(argument) or Error(unsupported).
    virtual std::unique_ptr<Problem> pose(std::shared_ptr<const io::Grid> input,
                                          const ParameterValues& values) const = 0;
};

}  // namespace warplens::gpu
