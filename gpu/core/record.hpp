// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/choice.hpp"
#include "gpu/core/counters.hpp"
#include "gpu/core/parameter.hpp"
#include "gpu/core/result.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/core/slab_map.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/device/device_info.hpp"
#include "gpu/device/launch_facts.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

enum class Status { ok, wrong, failed, unsupported };
/// Which clock a time was read from; times of two clocks are never compared.
enum class Clock {
    device,     ///< a GPU's own, around the kernel alone: the only one that ranks
    simulated,  ///< a steady clock around the SIMT device
    library,    ///< a steady clock around a library's call on the host
    opencl,     ///< OpenCL's events, around the kernels alone
    openacc     ///< a steady clock around OpenACC's regions, what they copy included
};

const char* nameOf(Status status);  ///< "ok", "wrong", "failed", "unsupported"
const char* nameOf(Clock clock);    ///< "cuda-event", "cpu-simt", "cpu-library", "opencl-event", "cpu-openacc"

/// Kernel time, measured. Milliseconds.
struct Timing {
    Clock clock = Clock::simulated;
    double medianMs = 0, q1Ms = 0, q3Ms = 0, minMs = 0;
    double lowMs = 0, highMs = 0;  ///< 95 % interval of the median
    int samples = 0;
    bool warmL2 = false;  ///< the working set fits the L2 cache
};

/// How a result compares with the double reference.
struct Verification {
    double maxAbsError = 0;
    double bound = 0;         ///< at the value with that error, so that the two can be compared
    double checkedShare = 0;  ///< 0..1 of all values
    std::int64_t mismatches = 0;
    std::string firstMismatch;  ///< "x 3 y 4 channel 0: 1.5 instead of 1.25", or empty
    std::string note;           ///< a library's different definition, in words
};

/// One variant's run: immutable once made.
struct RunRecord {
    std::string family;
    std::string variant;
    TunableValues chosen;  ///< where the variant was named, as in "tiled@block_width=32"
    Variant::Kind kind = Variant::Kind::kernel;
    std::string runsOn;  ///< "cuda:0", "cpu", or of a portable row where it ran: "opencl:0, NAME"
    Status status = Status::ok;
    std::string reason;  ///< of wrong, failed and unsupported: one sentence; of ok what is to be known of how it ran
    std::optional<Choice> choice;  ///< when `auto` took this variant
    TunableValues tunables;        ///< all of them, chosen or not
    std::optional<Timing> time;    ///< absent unless status is ok
    std::optional<double> uploadMs, layoutMs, downloadMs;
    std::optional<double> bandwidthGbs;    ///< minimal bytes over the median
    std::optional<double> percentOfLimit;  ///< the larger share of what was measured: traffic, FMA
    std::optional<LaunchFacts> launch;
    std::optional<Footprint> footprint;
    std::optional<SlabMap> slabs;              ///< absent: it ran on the device as a whole
    std::optional<Verification> verification;  ///< absent: not verified (yet)
    std::optional<Counters> counters;          ///< absent: not traced
    Result result;                             ///< empty when there is none
    bool yours = false;                        ///< a kernel of the user's, no row of the ladder

    /// What tells it from the other runs of its comparison, and what people read: the variant with what was chosen.
    std::string id() const { return RunKey{variant, chosen}.id(); }
};

/// Minimal traffic and work of a request, whatever the variant (modelled).
struct Work {
    Traffic traffic = Traffic::copy;
    std::int64_t bytesRead = 0, bytesWritten = 0;
    double operations = 0;  ///< floating-point operations, a fused multiply-add counted as two
    std::int64_t pass = 0;  ///< bytes of one of several passes over the same memory; 0: there is one pass
    double alongAxes = 0;   ///< operations of one axis after the other, where no square filter's; 0: a square one's

    /// Bytes that are touched at all, however often.
    std::int64_t workingSet() const { return pass > 0 ? pass : bytesRead + bytesWritten; }
};

/// What a request was, and all its runs. The JSON report is made of this.
struct Comparison {
    std::string inputName;
    std::shared_ptr<const io::Grid> input;
    std::string family;
    ParameterValues parameters;      ///< every parameter of the family, defaults included
    std::vector<std::string> facts;  ///< what follows from them, in words: "5 x 5 weights, separable (0.4 ulp)"
    DeviceInfo device;
    std::optional<Limits> limits;  ///< measured in this process; absent on the CPU
    Work work;
    std::string plan;  ///< how the work was cut into slabs, as a sentence, or empty: it fitted as a whole
    Environment environment;
    std::vector<RunRecord> runs;  ///< in the order of the ladder
    bool interrupted = false;
};

enum class Verdict { faster, slower, same, undecided };
const char* nameOf(Verdict verdict);

/// `time` against `baseline`: same when the intervals overlap; undecided when the clocks differ, either has fewer than
/// three samples, or both run below the resolution of the clock.
Verdict judge(const Timing& time, const Timing& baseline);

}  // namespace warplens::gpu
