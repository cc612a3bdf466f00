// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/queue.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/opencl/library.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu::opencl {
namespace {

void check(cl_int status, const std::string& call) {
    if (status == CL_SUCCESS) return;
    const bool memory = status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
                        status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE;
    if (memory)
        throw Error(Error::Kind::outOfMemory, "OpenCL: " + call +
                                                  " found too little memory: use a smaller picture (status " +
                                                  std::to_string(status) + ")");
    throw Error(Error::Kind::internal, "OpenCL: " + call + " failed with status " + std::to_string(status) +
                                           ": see CL/cl.h, or try another driver");
}

/// The first line that names an error, else the first that says anything.
std::string mistakeIn(const std::string& log) {
    std::string first;
    for (const std::string_view line : io::split(log, '\n')) {
        if (line.find("error") != std::string_view::npos) return std::string(line);
        if (first.empty() && line.find_first_not_of(" \t\r") != std::string_view::npos) first = line;
    }
    return first.empty() ? "the compiler does not say why" : first;
}

std::string logOf(cl_program program, cl_device_id device) {
    std::size_t bytes = 0;
    library()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    if (bytes > 0) library()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    return log;
}

const DeviceFacts& factsAt(int place) {
    const DeviceList& list = deviceList();
    if (!list.whyNone.empty()) throw Error(Error::Kind::unsupported, list.whyNone);
    if (place >= 0 && static_cast<std::size_t>(place) < list.devices.size())
        return list.devices[static_cast<std::size_t>(place)];
    throw Error(Error::Kind::unsupported, "there is no opencl:" + std::to_string(place) + ": the last one is " +
                                              list.devices.back().id + ", see warplens-cli devices");
}

}  // namespace

struct Memory::Held {
    cl_mem id = nullptr;
    ~Held() { library()->clReleaseMemObject(id); }
};

Memory::Memory(std::unique_ptr<Held> held) : m_held(std::move(held)) {}
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;
Memory::~Memory() = default;

struct Kernel::Held {
    cl_program program = nullptr;
    cl_kernel id = nullptr;
    std::string name;
    ~Held() {
        if (id != nullptr) library()->clReleaseKernel(id);
        if (program != nullptr) library()->clReleaseProgram(program);
    }
};

Kernel::Kernel(std::unique_ptr<Held> held) : m_held(std::move(held)) {}
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;
Kernel::~Kernel() = default;

void Kernel::argument(unsigned place, const Memory& memory) { plain(place, &memory.held().id, sizeof(cl_mem)); }
void Kernel::argument(unsigned place, const Local& local) { plain(place, nullptr, local.bytes); }
void Kernel::plain(unsigned place, const void* value, std::size_t bytes) {
    check(library()->clSetKernelArg(m_held->id, place, bytes, value),
          "argument " + std::to_string(place) + " of " + m_held->name);
}

struct Queue::Held {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    bool timing = false;
    cl_event first = nullptr, last = nullptr;  ///< launched since timing began; the same where it is one

    void forget() {
        if (last != nullptr && last != first) library()->clReleaseEvent(last);
        if (first != nullptr) library()->clReleaseEvent(first);
        first = last = nullptr;
    }
    ~Held() {
        forget();
        if (queue != nullptr) library()->clReleaseCommandQueue(queue);
        if (context != nullptr) library()->clReleaseContext(context);
    }
};

Queue::Queue(int place) : m_facts(factsAt(place)), m_held(std::make_unique<Held>()) {
    cl_int status = CL_SUCCESS;
    m_held->device = deviceAt(place);
    m_held->context = library()->clCreateContext(nullptr, 1, &m_held->device, nullptr, nullptr, &status);
    check(status, "opening " + m_facts.name);
    m_held->queue =
        library()->clCreateCommandQueue(m_held->context, m_held->device, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "a queue with a clock on " + m_facts.name);
}

Queue::~Queue() {
    // Nothing of what was launched may outlive its memory.
    library()->clFinish(m_held->queue);
}

Memory Queue::allocate(std::size_t bytes) {
    const std::string what = std::to_string(bytes) + " bytes on " + m_facts.name;
    // Some drivers grant any size, and fail where it is used.
    if (m_facts.memoryBytes > 0 && bytes > static_cast<std::size_t>(m_facts.memoryBytes))
        check(CL_MEM_OBJECT_ALLOCATION_FAILURE, what);
    cl_int status = CL_SUCCESS;
    const cl_mem id = library()->clCreateBuffer(m_held->context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1),
                                                nullptr, &status);
    check(status, what);
    return Memory(std::unique_ptr<Memory::Held>(new Memory::Held{id}));
}

Memory Queue::holding(const void* values, std::size_t bytes) {
    Memory made = allocate(bytes);
    upload(made, values, bytes);
    return made;
}

void Queue::upload(const Memory& to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    check(library()->clEnqueueWriteBuffer(m_held->queue, to.held().id, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
          "an upload");
}

void Queue::download(void* to, const Memory& from, std::size_t bytes) {
    check(library()->clEnqueueReadBuffer(m_held->queue, from.held().id, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr),
          "a download");
}

Kernel Queue::build(const std::vector<std::string>& texts, const std::string& name, const std::string& options) {
    std::vector<const char*> begins;
    std::vector<std::size_t> lengths;
    for (const std::string& text : texts) {
        begins.push_back(text.data());
        lengths.push_back(text.size());
    }
    auto held = std::make_unique<Kernel::Held>();
    held->name = name;
    cl_int status = CL_SUCCESS;
    held->program = library()->clCreateProgramWithSource(m_held->context, static_cast<cl_uint>(texts.size()),
                                                         begins.data(), lengths.data(), &status);
    check(status, "the program of " + name);
    status = library()->clBuildProgram(held->program, 1, &m_held->device, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS)
        throw Error(Error::Kind::internal, m_facts.platform + " does not compile " + name + ": " +
                                               mistakeIn(logOf(held->program, m_held->device)));
    held->id = library()->clCreateKernel(held->program, name.c_str(), &status);
    check(status, "the kernel " + name);
    return Kernel(std::move(held));
}

void Queue::launch(const Kernel& kernel, std::array<std::size_t, 3> groups, std::array<std::size_t, 3> group) {
    std::size_t most = 0;
    const auto& held = kernel.held();
    const std::size_t items = group[0] * group[1] * group[2];
    check(library()->clGetKernelWorkGroupInfo(held.id, m_held->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                              nullptr),
          "the limits of " + held.name);
    if (items > most)
        throw Error(Error::Kind::unsupported, "work-groups of " + std::to_string(items) + " work-items; " + held.name +
                                                  " takes " + std::to_string(most) + " at most on " + m_facts.name);
    std::array<std::size_t, 3> all{};
    for (std::size_t axis = 0; axis < 3; ++axis) all[axis] = groups[axis] * group[axis];
    cl_event event = nullptr;
    check(library()->clEnqueueNDRangeKernel(m_held->queue, held.id, 3, nullptr, all.data(), group.data(), 0, nullptr,
                                            m_held->timing ? &event : nullptr),
          "launching " + held.name);
    if (event == nullptr) return;
    if (m_held->last != nullptr && m_held->last != m_held->first) library()->clReleaseEvent(m_held->last);
    if (m_held->first == nullptr) m_held->first = event;
    m_held->last = event;
}

void Queue::finish() { check(library()->clFinish(m_held->queue), "what was launched on " + m_facts.name); }

double Queue::time(const std::function<void()>& work) {
    m_held->forget();
    m_held->timing = true;
    try {
        work();
        finish();
    } catch (...) {
        m_held->timing = false;
        throw;
    }
    m_held->timing = false;
    if (m_held->first == nullptr) return 0;
    const auto at = [](cl_event event, cl_profiling_info what) {
        cl_ulong ns = 0;
        check(library()->clGetEventProfilingInfo(event, what, sizeof ns, &ns, nullptr), "the clock");
        return ns;
    };
    const auto ns = at(m_held->last, CL_PROFILING_COMMAND_END) - at(m_held->first, CL_PROFILING_COMMAND_START);
    m_held->forget();
    return static_cast<double>(ns) * 1e-6;
}

}  // namespace warplens::gpu::opencl
