// SPDX-License-Identifier: Apache-2.0
#include "app/worker/count.hpp"

#if WARPLENS_COUNTS
#include "gpu/core/error.hpp"
#include "gpu/trace/film_recorder.hpp"
#include "gpu/trace/findings.hpp"
#include "gpu/trace/image.hpp"
#include "gpu/trace/places.hpp"
#include "gpu/trace/record_access.hpp"
#include "gpu/trace/trace_device.hpp"

namespace warplens::worker {

namespace trace = gpu::trace;
using trace::Recorder;

std::string whyNoCounts() { return {}; }

void beginToCount(const std::string& file, std::uint64_t base, std::uint64_t module) {
    trace::ProgramImage::load(file, base, module);
    counting = true;
}

std::unique_ptr<gpu::Device> openCountingDevice() { return std::make_unique<trace::TraceDevice>(); }

namespace {
const volatile void* sharedWord = nullptr;
}  // namespace

void shareWord(const void* word) { sharedWord = word; }

void launchCounted(gpu::Device& device, const void* function, dim3 grid, dim3 block, std::size_t sharedBytes,
                   const gpu::simt::Thunk& thread) {
    static_cast<trace::TraceContext&>(device.context()).run(function, grid, block, sharedBytes, thread);
}

void count(gpu::Device& device, const std::function<void()>& work, const gpu::Buffer& input, std::int64_t sampleWords,
           gpu::RunRecord& record) {
    trace::SamplePolicy policy;
    policy.whole = sampleWords == 0;
    if (!policy.whole) policy.words = sampleWords;
    device.takeLaunchFacts();
    record.counters = static_cast<trace::TraceDevice&>(device).trace(work, input, policy);
    record.launch = device.takeLaunchFacts();
    trace::judge(record);
}

namespace {

/// What a race computes can be watched; a block that was left half-way is no film.
void refuseHalves(trace::Findings& findings) {
    using Check = trace::Finding::Check;
    for (const trace::Finding& found : findings.take()) {
        if (found.check != Check::outOfBounds && found.check != Check::divergentBarrier &&
            found.check != Check::deadlock)
            continue;
        std::string text = std::string(nameOf(found.check)) + ": " + found.message;
        const auto places = trace::symbolise(found.pc);
        if (const auto* place = trace::tellingPlace(places); found.message.empty() && place != nullptr)
            text += "the kernel " + found.what + " at " + place->text();
        throw gpu::Error(gpu::Error::Kind::fault, text);
    }
}

}  // namespace

gpu::Film film(gpu::Device& device, const std::function<void()>& work, const gpu::FilmQuery& query,
               const io::Shape& shape, const gpu::Footprint& footprint, const gpu::Buffer& input, std::int64_t pitch) {
    trace::FilmRecorder recorder(query, {shape, footprint, {input.handle(), pitch}});
    const auto all = [&] {
        try {
            work();
        } catch (const trace::FilmRecorder::Done&) {  // the rest of the work has nothing to do with it
        }
        refuseHalves(static_cast<trace::TraceContext&>(device.context()).findings());
    };
    static_cast<trace::TraceDevice&>(device).probe(all, recorder);
    return recorder.take();
}

void countAccess(const volatile void* address, std::size_t bytes, gpu::Operation operation, const void* caller) {
    trace::recordAccess(address, bytes, operation, caller,
                        address == sharedWord ? trace::Sharing::synchronised : trace::Sharing::plain);
}
void countAtomic(const volatile void* address, std::size_t bytes, const void* caller) {
    trace::recordAccess(address, bytes, gpu::Operation::atomic, caller, trace::Sharing::synchronised);
}
void countAtomicDone(const volatile void* address) {
    if (Recorder::active != nullptr) Recorder::active->acquired(address);
}
void countFetch(const volatile void* address, std::size_t bytes, const void* caller) {
    if (Recorder::active == nullptr) return;
    Recorder::active->fetch(const_cast<const void*>(address), static_cast<unsigned>(bytes), trace::placeInCode(caller));
}

namespace {
/// As trace::Between has them. An acquire is recorded when it is done.
enum class Between { acquire, release, relaxedLoad, relaxedStore };
}  // namespace

void countBetween(const volatile void* address, std::size_t bytes, const void* caller, int how) {
    switch (static_cast<Between>(how)) {
        case Between::acquire: break;
        case Between::release:
            trace::recordAccess(address, bytes, gpu::Operation::store, caller, trace::Sharing::synchronised);
            break;
        case Between::relaxedLoad:
            trace::recordAccess(address, bytes, gpu::Operation::load, caller, trace::Sharing::annotated);
            break;
        case Between::relaxedStore:
            trace::recordAccess(address, bytes, gpu::Operation::store, caller, trace::Sharing::annotated);
            break;
    }
}
void countBetweenDone(const volatile void* address, std::size_t bytes, const void* caller, int how) {
    if (Recorder::active == nullptr || static_cast<Between>(how) != Between::acquire) return;
    trace::recordAccess(address, bytes, gpu::Operation::load, caller, trace::Sharing::synchronised);
    Recorder::active->acquired(address);
}

void countBlock(const void* caller) { trace::recordBlock(caller); }
void countFence() {
    if (Recorder::active != nullptr) Recorder::active->fence();
}
void countOperations(int ofAtomics, int ofMatrices) {
    if (Recorder::active == nullptr) return;
    Recorder::active->matrixOperations(ofMatrices);
    if (ofAtomics > 0) Recorder::active->atomicOperation();
}
void countPause(int by) {
    if (Recorder::active == nullptr) return;
    by > 0 ? Recorder::active->pause() : Recorder::active->unpause();
}
std::uint64_t countedThreads() { return Recorder::active == nullptr ? 0 : Recorder::active->steps(); }
bool countsNow() { return Recorder::active != nullptr; }

}  // namespace warplens::worker

#else

namespace warplens::worker {

std::string whyNoCounts() {
    return "counts need warplens-trace's build, which this one was made without: build with g++ and libcapstone-dev on "
           "x86-64";
}
void beginToCount(const std::string&, std::uint64_t, std::uint64_t) {}
std::unique_ptr<gpu::Device> openCountingDevice() { return {}; }
void launchCounted(gpu::Device&, const void*, dim3, dim3, std::size_t, const gpu::simt::Thunk&) {}
void shareWord(const void*) {}
void count(gpu::Device&, const std::function<void()>&, const gpu::Buffer&, std::int64_t, gpu::RunRecord&) {}
gpu::Film film(gpu::Device&, const std::function<void()>&, const gpu::FilmQuery&, const io::Shape&,
               const gpu::Footprint&, const gpu::Buffer&, std::int64_t) {
    return {};
}
void countAccess(const volatile void*, std::size_t, gpu::Operation, const void*) {}
void countAtomic(const volatile void*, std::size_t, const void*) {}
void countAtomicDone(const volatile void*) {}
void countFetch(const volatile void*, std::size_t, const void*) {}
void countBetween(const volatile void*, std::size_t, const void*, int) {}
void countBetweenDone(const volatile void*, std::size_t, const void*, int) {}
void countBlock(const void*) {}
void countFence() {}
void countOperations(int, int) {}
void countPause(int) {}
std::uint64_t countedThreads() { return 0; }
bool countsNow() { return false; }

}  // namespace warplens::worker

#endif
