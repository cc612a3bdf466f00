// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/devices.hpp"

#include "gpu/device/opencl/library.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <memory>
#include <utility>

namespace warplens::gpu::opencl {
namespace {

constexpr const char* kLoader = "libOpenCL.so.1";

struct Found {
    std::vector<cl_device_id> ids;
    DeviceList list;
};

std::string withoutPadding(std::string text) {
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Text of a platform or a device.
template <class Ask, class Id>
std::string textOf(Ask ask, Id id, cl_uint what) {
    std::size_t bytes = 0;
    if (ask(id, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    return ask(id, what, bytes, text.data(), nullptr) == CL_SUCCESS ? withoutPadding(std::move(text)) : std::string();
}

template <class T>
T numberOf(const Library& cl, cl_device_id id, cl_device_info what) {
    T value{};
    return cl.clGetDeviceInfo(id, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : T{};
}

DeviceFacts factsOf(const Library& cl, cl_device_id id, const std::string& platform) {
    const auto type = numberOf<cl_device_type>(cl, id, CL_DEVICE_TYPE);
    return {.id = {},
            .name = textOf(cl.clGetDeviceInfo, id, CL_DEVICE_NAME),
            .platform = platform,
            .driver = textOf(cl.clGetDeviceInfo, id, CL_DRIVER_VERSION),
            .kind = (type & CL_DEVICE_TYPE_GPU) != 0   ? "gpu"
                    : (type & CL_DEVICE_TYPE_CPU) != 0 ? "cpu"
                                                       : "accelerator",
            .memoryBytes = static_cast<std::int64_t>(numberOf<cl_ulong>(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE)),
            .cacheBytes = static_cast<std::int64_t>(numberOf<cl_ulong>(cl, id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)),
            .computeUnits = static_cast<int>(numberOf<cl_uint>(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS)),
            .clockMhz = static_cast<int>(numberOf<cl_uint>(cl, id, CL_DEVICE_MAX_CLOCK_FREQUENCY)),
            .maxWorkItemsPerGroup = static_cast<int>(numberOf<std::size_t>(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE)),
            .localBytesPerGroup = static_cast<std::int64_t>(numberOf<cl_ulong>(cl, id, CL_DEVICE_LOCAL_MEM_SIZE))};
}

Found find(const Library* cl) {
    Found found;
    if (cl == nullptr) {
        found.list.whyNone =
            "No OpenCL: libOpenCL.so.1 was not found; install ocl-icd-libopencl1 and your device's driver, or "
            "pocl-opencl-icd for the CPU.";
        return found;
    }
    cl_uint count = 0;
    std::vector<cl_platform_id> platforms;
    if (cl->clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS && count > 0) {
        platforms.resize(count);
        if (cl->clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) platforms.clear();
    }
    std::vector<std::pair<cl_device_id, DeviceFacts>> all;
    for (const cl_platform_id platform : platforms) {
        if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0) continue;
        std::vector<cl_device_id> ids(count);
        if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) != CL_SUCCESS) continue;
        const std::string name = textOf(cl->clGetPlatformInfo, platform, CL_PLATFORM_NAME);
        for (const cl_device_id id : ids)
            if (numberOf<cl_bool>(*cl, id, CL_DEVICE_AVAILABLE) &&
                numberOf<cl_bool>(*cl, id, CL_DEVICE_COMPILER_AVAILABLE))
                all.emplace_back(id, factsOf(*cl, id, name));
    }
    std::ranges::stable_partition(all, [](const auto& device) { return device.second.kind == "gpu"; });
    for (auto& [id, facts] : all) {
        facts.id = "opencl:" + std::to_string(found.ids.size());
        found.ids.push_back(id);
        found.list.devices.push_back(std::move(facts));
    }
    if (all.empty())
        found.list.whyNone =
            "No OpenCL device: libOpenCL.so.1 finds no driver that has one; install your device's driver, or "
            "pocl-opencl-icd "
            "for the CPU.";
    return found;
}

const Found& foundOnce() {
    static const Found found = find(library());
    return found;
}

}  // namespace

const Library* loadLibrary(const char* name) {
    void* const handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) return nullptr;
    auto made = std::make_unique<Library>();
    bool all = true;
#define WARPLENS_OPENCL_LOAD(function)                                                     \
    made->function = reinterpret_cast<decltype(made->function)>(dlsym(handle, #function)); \
    all = all && made->function != nullptr;
    WARPLENS_OPENCL_FUNCTIONS(WARPLENS_OPENCL_LOAD)
#undef WARPLENS_OPENCL_LOAD
    return all ? made.release() : nullptr;  // for as long as the process
}

const Library* library() {
    static const Library* const found = loadLibrary(kLoader);
    return found;
}

cl_device_id deviceAt(int place) { return foundOnce().ids.at(static_cast<std::size_t>(place)); }

DeviceList listDevices(const char* loader) { return find(loadLibrary(loader)).list; }

const DeviceList& deviceList() { return foundOnce().list; }

}  // namespace warplens::gpu::opencl
