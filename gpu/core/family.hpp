// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/core/playback.hpp"
#include "gpu/core/record.hpp"
#include "gpu/core/result.hpp"
#include "gpu/core/slab_map.hpp"
#include "gpu/core/slab_overlap.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
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
    virtual std::string plan() const { return {}; }
    /// The same as figures, with who computed which slab in the last pass; absent when there are none.
    virtual std::optional<SlabMap> slabs() const { return std::nullopt; }
    /// Fills the output with a pattern, so that an unwritten value cannot pass for a result.
    virtual void poisonOutput() = 0;
    /// Brings the result to the host; adds to the times in milliseconds.
    virtual Result download(double& layoutMs, double& downloadMs) = 0;
    /// Of the last launch, until the next; absent when the result does not lie on the device as a whole and so cannot
    /// be looked at there, which is known before any launch.
    virtual std::optional<DevicePicture> picture() const { return std::nullopt; }
    /// Values from row to row in what the kernels read, Resident::padded, and write; 0 where rows lie one behind the
    /// other. Known once prepared.
    virtual std::int64_t pitch() const { return 0; }
    /// How the stages of the last pass overlapped; absent when they came one after the other.
    virtual std::optional<SlabOverlap> overlap() const { return std::nullopt; }
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

class Partitionable;
class MultiDeviceProblem;
class Portable;
class PlainKernels;

/// One picture with one set of parameters, shared by all variants of a request. Immutable after construction,
/// but for the reference, which is computed once, when it is first needed.
class Problem {
public:
    virtual ~Problem() = default;
    virtual Work work() const = 0;
    virtual Traits traits() const = 0;
    virtual std::vector<std::string> facts() const = 0;
    /// All tunables of a variant: those chosen, the rest at their defaults or fitted to this problem's size and the
    /// device's multiprocessors. Throws as resolve().
    virtual TunableValues resolved(const Variant& variant, const TunableValues& chosen,
                                   const DeviceInfo& /*device*/) const {
        return resolve(variant, chosen);
    }
    /// Why this variant cannot run this problem on this device, or empty.
    virtual std::string refusal(const Variant& variant, const TunableValues& tunables,
                                const DeviceInfo& device) const = 0;
    /// How many times the bound of single precision a variant's own bound is: 1, or more where it computes in fewer
    /// bits.
    virtual double boundFactor(const Variant& /*variant*/) const { return 1; }
    /// Whether a wider bound can be seen in the result: not where it is rounded to bytes, half a level of error anyway.
    virtual bool widerBoundsShow() const { return true; }
    virtual Footprint footprint(const Variant& variant, const TunableValues& tunables) const = 0;
    virtual std::unique_ptr<Session> open(Device& device, Resident& resident) const = 0;
    /// Runs a library row on the host, timed inside, without conversions; an iteration can be stopped, a single call
    /// cannot. A library that runs on the GPU goes through the session instead, as a kernel does.
    virtual Result runLibrary(const Variant& variant, double& milliseconds, std::stop_token stop) const = 0;
    virtual Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const = 0;

    // What a problem can do besides; null: it cannot.
    virtual const Partitionable* inPieces() const { return nullptr; }
    virtual const MultiDeviceProblem* overDevices() const { return nullptr; }
    virtual const Portable* portable() const { return nullptr; }
    /// Where a kernel of the user's can do it.
    virtual const PlainKernels* plainKernels() const { return nullptr; }
    /// Why its kernels cannot be traced, or empty.
    virtual std::string traceRefusal() const { return {}; }
};

/// What --bench-interactive moves: sliders, each from the same values.
struct SliderBenchmark {
    struct Slider {
        std::string parameter{};
        int steps = 0;  ///< to and fro
    };
    ParameterValues from{};
    std::string words{};  ///< those values: "gaussian of radius 4"
    std::vector<Slider> sliders{};
};

/// What a program asks of whichever family does it, through run/service.hpp.
enum class Service {
    turnLeft,
    turnRight,
    flipHorizontally,
    flipVertically,
    /// What hangs together with some pixels and looks like them, as a picture of i32: 0 and above inside, -1 outside.
    /// Takes parameters of the roles seeds, valueTolerance and connectivity.
    selectRegion,
    statistics,  ///< table "statistics": a row a channel with minimum, maximum, mean, variance
    comparison,  ///< table "comparison" with the picture of the role otherPicture: rmse, psnr, mean_abs, max_abs
    quantiles,   ///< table "quantiles": of each channel's numbers, value by percent, exact: the lower one of two
};

/// What a family does with regions, which have a page of their own.
enum class Regions {
    none,
    labels,    ///< numbers them: a picture of u32, and a table of what is known of each
    grows,     ///< from seeds: a picture of i32, the step at which a pixel was reached, -1 outside
    distances  ///< how far each pixel is from one
};

/// What a family is, for those who must not ask which one it is.
struct FamilyInfo {
    std::string id{};                ///< as options and reports name it
    std::string title{};             ///< "Convolution"
    std::string group{};             ///< what it stands with in a list: "Filter", "Iterate", "Count and measure"
    std::string task{};              ///< in the words of those who want it done: "Blur, sharpen, find edges"
    bool makesPicture = false;       ///< the result is a picture, of its own shape
    bool makesOtherPicture = false;  ///< the result may be a picture instead of tables, with some parameters
    bool makesTables = false;        ///< the result is, or comes with, figures that are read for themselves
    bool volumes = false;            ///< of a volume the result is a volume, shown as one
    bool iterates =
        false;  ///< takes as many steps as the role iterations says, each of which is a result: they can be played
    bool wideIntegers = false;  ///< takes pictures of u32 and i32, too
    bool valuesMatter = false;  ///< the time depends on the values, not only on how many there are
    bool dependent = false;     ///< a launch works on what those before it found: a trace must leave none out
    std::string swept{};        ///< the integer parameter that a sweep varies; empty: there is none
    std::optional<SliderBenchmark> moved{};  ///< absent: --bench-interactive cannot take it
    Regions regions = Regions::none;
    std::map<Service, ParameterValues> services{};  ///< what it does for others, with these parameters
};

/// What the values of a result are where they are of another kind than the picture's: sums, steps, distances. They are
/// shown by a range and colours of their own.
struct ResultValues {
    enum class Kind {
        grey,      ///< from the smallest to the largest
        fromZero,  ///< from 0 up; what lies below is no value
        aboutZero  ///< by sign
    };
    std::string title{};  ///< with their unit: "distance, px"
    Kind kind = Kind::grey;
};

/// Things that a family's parameters call by name, for `list NAME`.
struct NameList {
    using Value = std::variant<bool, std::int64_t, double, std::string>;
    struct Column {
        std::string title{};
        std::vector<std::string> ids{};  ///< for scripts; several values stand in one column for people: 5 x 3
    };
    std::string id{};  ///< "filters"
    std::vector<Column> columns{};
    std::vector<std::vector<Value>> (*rows)() = nullptr;  ///< a value an id, the name first
};

class StepFusion;

/// A kind of work: convolution, stencil, histogram.
class Family {
public:
    virtual ~Family() = default;
    virtual const FamilyInfo& info() const = 0;
    const std::string& id() const { return info().id; }
    const std::string& title() const { return info().title; }
    virtual const std::vector<Parameter>& parameters() const = 0;
    virtual const std::vector<Variant>& variants() const = 0;
    virtual std::vector<NameList> lists() const { return {}; }
    /// Null where two runs in a row are always two.
    virtual const StepFusion* fuses() const { return nullptr; }
    /// `nullopt` where a result's values are as the picture's.
    virtual std::optional<ResultValues> resultValues(const ParameterValues& /*values*/) const { return std::nullopt; }
    /// Checks the picture's type, then parameters against the picture. Throws Error(argument) or Error(unsupported).
    std::unique_ptr<Problem> pose(std::shared_ptr<const io::Grid> input, const ParameterValues& values) const;
    /// The variants of an iteration, to be watched step by step, within `memoryCap` bytes on the device (0: whatever it
    /// has); null of a family that does not iterate. Throws as pose(), Error(unsupported) where none of them can run,
    /// and Error(outOfMemory).
    std::unique_ptr<Playback> play(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                                   const std::vector<std::string>& variants, const std::string& device,
                                   std::int64_t memoryCap = 0) const;

private:
    /// pose() and play() of a picture whose type the family takes.
    virtual std::unique_ptr<Problem> makeProblem(std::shared_ptr<const io::Grid> input,
                                                 const ParameterValues& values) const = 0;
    virtual std::unique_ptr<Playback> makePlayback(std::shared_ptr<const io::Grid> /*input*/,
                                                   const ParameterValues& /*values*/,
                                                   const std::vector<std::string>& /*variants*/,
                                                   const std::string& /*device*/, std::int64_t /*memoryCap*/) const {
        return nullptr;
    }
};

}  // namespace warplens::gpu
