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
        {"operations_per_byte", "operations a byte that threads load", &why<WhyFigure::operationsPerByte>, nullptr,
         &digits},
        {"operations", "floating-point operations", &why<WhyFigure::flops>, nullptr, &whole},
        {"load_requests", "load requests of warps",
         [](Run r) { return static_cast<double>(r.counters->globalLoad.requests); }, nullptr, &whole},
        {"load_sectors", "sectors of 32 bytes loaded", &why<WhyFigure::loadSectors>, nullptr, &whole},
        {"sectors_per_load", "sectors a load request", &why<WhyFigure::sectorsPerLoad>, nullptr, &digits},
        {"sectors_per_store", "sectors a store request",
         [](Run r) {
             const AccessCount& store = r.counters->globalStore;
             return store.requests > 0 ? static_cast<double>(store.sectors) / static_cast<double>(store.requests) : 0;
         },
         nullptr, &digits},
        {"reuse", "loads of an input value", &why<WhyFigure::reuse>, nullptr, &digits},
        {"shared_passes", "passes over the banks of shared memory", &why<WhyFigure::sharedPasses>, nullptr, &whole},
        {"shared_bytes", "shared memory a block",
         [](Run r) { return r.launch ? static_cast<double>(r.launch->sharedBytes) : 0.0; }, nullptr, &bytes},
        {"idle_threads", "threads that write nothing", &why<WhyFigure::idleThreadShare>, nullptr, &share},
        {"active_lanes", "lanes at work of 32", &why<WhyFigure::activeLanes>, nullptr, &digits},
        {"divergent_branches", "branches on which a warp parts",
         [](Run r) { return static_cast<double>(r.counters->divergentBranches); }, nullptr, &whole},
        {"barriers", "barriers of blocks", &why<WhyFigure::barriers>, nullptr, &whole},
        {"global_atomics", "additions to global memory", &why<WhyFigure::globalAtomics>, nullptr, &whole},
        {"shared_atomics", "additions to shared memory", &why<WhyFigure::sharedAtomics>, nullptr, &whole},
        {"lanes_per_address", "lanes that add at one address, mean", &why<WhyFigure::lanesPerAddress>, nullptr,
         &digits},
        {"launches", "kernel launches", &sum<&KernelCounters::launches>, nullptr, &whole},
        {"blocks", "blocks of threads", &sum<&KernelCounters::blocks>, nullptr, &whole},
        {"multiprocessors", "multiprocessors", nullptr,
         [](Run, From from) { return static_cast<double>(from.device.multiprocessors); }, &whole},
        {"time", "kernel time in ms, lower is better", nullptr,
         [](Run r, From) { return r.time ? r.time->medianMs : 0.0; }, &milliseconds},
        {"upload", "time to bring the picture to the GPU", nullptr, [](Run r, From) { return r.uploadMs.value_or(0); },
         &milliseconds},
        {"download", "time to bring the result back", nullptr, [](Run r, From) { return r.downloadMs.value_or(0); },
         &milliseconds},
        {"occupancy", "warps resident of those that fit", nullptr,
         [](Run r, From) { return r.launch ? r.launch->occupancy : 0.0; }, &share},
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
