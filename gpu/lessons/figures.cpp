// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/figures.hpp"

#include "gpu/lessons/measure.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu {

namespace {

template <WhyFigure figure>
double why(const RunRecord& run) {
    return valueOf(figure, *run.counters);
}

template <std::int64_t KernelCounters::*field>
double sum(const RunRecord& run) {
    std::int64_t all = 0;
    for (const KernelCounters& kernel : run.counters->kernels) all += kernel.*field;
    return static_cast<double>(all);
}

std::string whole(double value) { return withCommas(std::llround(value)); }
std::string digits(double value) { return threeDigits(value); }
std::string milliseconds(double value) { return threeDigits(value) + " ms"; }
std::string bytes(double value) { return byteSize(std::llround(value)); }
std::string shortest(double value) { return value == std::round(value) ? whole(value) : digits(value); }
std::string share(double value) { return percent(value); }

}  // namespace

const std::vector<LessonFigure>& lessonFigures() {
    using Run = const RunRecord&;
    using From = const Report&;
    static const std::vector<LessonFigure> figures{
        {"operations_per_byte", "operations per byte loaded", &why<WhyFigure::operationsPerByte>, nullptr, &digits},
        {"operations", "floating-point operations", &why<WhyFigure::flops>, nullptr, &whole},
        {"load_requests", "load requests", [](Run r) { return static_cast<double>(r.counters->globalLoad.requests); },
         nullptr, &whole},
        {"load_sectors", "sectors of 32 bytes loaded", &why<WhyFigure::loadSectors>, nullptr, &whole},
        {"sectors_per_load", "sectors per load request", &why<WhyFigure::sectorsPerLoad>, nullptr, &digits},
        {"sectors_per_store", "sectors per store request",
         [](Run r) {
             const AccessCount& store = r.counters->globalStore;
             return store.requests > 0 ? static_cast<double>(store.sectors) / static_cast<double>(store.requests) : 0;
         },
         nullptr, &digits},
        {"reuse", "loads per input value", &why<WhyFigure::reuse>, nullptr, &digits},
        {"shared_passes", "shared-memory wavefronts", &why<WhyFigure::sharedWavefronts>, nullptr, &whole},
        {"shared_bytes", "shared memory per block",
         [](Run r) { return r.launch ? static_cast<double>(r.launch->sharedBytes) : 0.0; }, nullptr, &bytes},
        {"idle_threads", "threads that write no result", &why<WhyFigure::idleThreadShare>, nullptr, &share},
        {"active_lanes", "active threads per warp", &why<WhyFigure::activeLanes>, nullptr, &digits},
        {"divergent_branches", "divergent branches",
         [](Run r) { return static_cast<double>(r.counters->divergentBranches); }, nullptr, &whole},
        {"barriers", "barriers", &why<WhyFigure::barriers>, nullptr, &whole},
        {"global_atomics", "atomic additions in global memory", &why<WhyFigure::globalAtomics>, nullptr, &whole},
        {"shared_atomics", "atomic additions in shared memory", &why<WhyFigure::sharedAtomics>, nullptr, &whole},
        {"lanes_per_address", "lanes per address of an atomic, mean", &why<WhyFigure::lanesPerAddress>, nullptr,
         &digits},
        {"launches", "kernel launches", &sum<&KernelCounters::launches>, nullptr, &whole},
        {"blocks", "thread blocks", &sum<&KernelCounters::blocks>, nullptr, &whole},
        {"multiprocessors", "multiprocessors", nullptr,
         [](Run, From from) { return static_cast<double>(from.device.multiprocessors); }, &whole},
        {"time", "kernel time in ms, lower is better", nullptr,
         [](Run r, From) { return r.time ? r.time->medianMs : 0.0; }, &milliseconds},
        {"upload", "copy to the GPU in ms", nullptr, [](Run r, From) { return r.uploadMs.value_or(0); }, &milliseconds},
        {"download", "copy back in ms", nullptr, [](Run r, From) { return r.downloadMs.value_or(0); }, &milliseconds},
        {"batch", "all pictures, from host to host, in ms, lower is better", nullptr, nullptr, &milliseconds},
        {"occupancy", "occupancy", nullptr, [](Run r, From) { return r.launch ? r.launch->occupancy : 0.0; }, &share},
        {"passes", "passes", nullptr, nullptr, &whole},
        {"pixels", "pixels", nullptr, nullptr, &whole},
        {"tiles", "tiles", nullptr, nullptr, &whole},
        {"values", "values", nullptr, nullptr, &shortest},
    };
    return figures;
}

const LessonFigure* figureOf(const std::string& id) {
    const auto at = std::ranges::find_if(lessonFigures(), [&](const LessonFigure& figure) { return id == figure.id; });
    return at == lessonFigures().end() ? nullptr : &*at;
}

}  // namespace warplens::gpu
