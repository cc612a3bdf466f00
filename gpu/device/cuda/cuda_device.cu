// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/cuda_device.hpp"
#include "gpu/device/cuda/graph.hpp"
#include "gpu/device/cuda/launch.cuh"
#include "gpu/device/cuda/limits.hpp"
#include "gpu/device/cuda/nvml.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace warplens::gpu {
namespace {

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string uuidText(const cudaUUID_t& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
        text += digits;
        if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
    }
    return text;
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

DeviceInfo describe(int index) {
    cudaDeviceProp properties{};
    WARPLENS_CUDA(cudaGetDeviceProperties(&properties, index));
    DeviceInfo info;
    info.id = "cuda:" + std::to_string(index);
    info.name = properties.name;
    info.kind = DeviceKind::cuda;
    info.uuid = uuidText(properties.uuid);
    info.capabilityMajor = properties.major;
    info.capabilityMinor = properties.minor;
    info.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    info.l2Bytes = properties.l2CacheSize;
    info.multiprocessors = properties.multiProcessorCount;
    info.clockMhz = attribute(cudaDevAttrClockRate, index) / 1000;
    info.memoryClockMhz = attribute(cudaDevAttrMemoryClockRate, index) / 1000;
    info.sharedBytesPerBlock = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
    info.registersPerBlock = properties.regsPerBlock;
    info.maxThreadsPerBlock = properties.maxThreadsPerBlock;
    info.multiprocessor = {properties.maxThreadsPerMultiProcessor, properties.maxBlocksPerMultiProcessor,
                           properties.regsPerMultiprocessor,
                           static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor),
                           static_cast<std::int64_t>(properties.reservedSharedMemPerBlock)};
    return info;
}

class Event {
public:
    Event() { WARPLENS_CUDA(cudaEventCreate(&m_event)); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return m_event; }

private:
    cudaEvent_t m_event = nullptr;
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(int index) : m_index(index) {
        WARPLENS_CUDA(cudaSetDevice(index));
        m_info = describe(index);
        WARPLENS_CUDA(cudaStreamCreateWithFlags(&m_context.stream, cudaStreamNonBlocking));
        m_begin = std::make_unique<Event>();
        m_end = std::make_unique<Event>();
        m_info.freeBytes = freeBytes();
    }
    ~CudaDevice() override {
        m_begin.reset();
        m_end.reset();
        cudaStreamDestroy(m_context.stream);
    }

    const DeviceInfo& info() const override { return m_info; }
    std::int64_t freeBytes() const override {
        std::size_t free = 0, total = 0;
        select();
        WARPLENS_CUDA(cudaMemGetInfo(&free, &total));
        return static_cast<std::int64_t>(free);
    }
    Buffer allocate(std::size_t bytes) override {
        checkLimit(bytes);
        select();
        void* p = nullptr;
        cuda::check(cudaMalloc(&p, std::max<std::size_t>(bytes, 1)), "cudaMalloc", std::to_string(bytes) + " bytes");
        return {*this, reinterpret_cast<std::uint64_t>(p), bytes};
    }
    void upload(const Buffer& to, const void* from, std::size_t bytes) override {
        select();
        WARPLENS_CUDA(cudaMemcpyAsync(address(to), from, bytes, cudaMemcpyHostToDevice, m_context.stream));
        // The caller's memory may go away at once.
        WARPLENS_CUDA(cudaStreamSynchronize(m_context.stream));
    }
    void download(void* to, const Buffer& from, std::size_t bytes) override {
        select();
        WARPLENS_CUDA(cudaMemcpyAsync(to, address(from), bytes, cudaMemcpyDeviceToHost, m_context.stream));
        WARPLENS_CUDA(cudaStreamSynchronize(m_context.stream));
    }
    void fill(const Buffer& buffer, int byte) override {
        select();
        WARPLENS_CUDA(cudaMemsetAsync(address(buffer), byte, buffer.bytes(), m_context.stream));
    }
    void synchronize() override {
        select();
        WARPLENS_CUDA(cudaStreamSynchronize(m_context.stream));
    }
    LaunchContext& context() override {
        select();
        return m_context;
    }
    double time(const std::function<void()>& work) override {
        select();
        WARPLENS_CUDA(cudaEventRecord(*m_begin, m_context.stream));
        work();
        WARPLENS_CUDA(cudaEventRecord(*m_end, m_context.stream));
        WARPLENS_CUDA(cudaEventSynchronize(*m_end));
        float ms = 0;
        WARPLENS_CUDA(cudaEventElapsedTime(&ms, *m_begin, *m_end));
        observeClock();
        return ms;
    }
    std::unique_ptr<LaunchGraph> record(const std::function<void()>& work) override {
        select();
        return cuda::record(m_context.stream, work);
    }
    LaunchFacts takeLaunchFacts() override {
        select();
        return m_context.takeFacts();
    }
    void setStop(std::stop_token stop) override { m_context.stop = std::move(stop); }
    void setScheduling(const Scheduling&) override {}
    std::optional<Limits> limits() override {
        select();
        if (!m_limits) {
            m_limits = cuda::measureLimits(m_context.stream, m_info);
            m_limits->clockMhz = m_nvml.smClockMhz(m_info.uuid);
        }
        return m_limits;
    }
    std::optional<ClockState> clocks() override { return std::exchange(m_clocks, std::nullopt); }

private:
    static void* address(const Buffer& buffer) { return reinterpret_cast<void*>(buffer.handle()); }
    void select() const { WARPLENS_CUDA(cudaSetDevice(m_index)); }
    void release(std::uint64_t handle) noexcept override {
        // After a sticky fault this fails as well; the process's memory on the device goes with its context.
        cudaFree(reinterpret_cast<void*>(handle));
        cudaGetLastError();
    }
    void observeClock() {
        const int mhz = m_nvml.smClockMhz(m_info.uuid);
        if (mhz <= 0) return;
        if (!m_clocks) m_clocks = ClockState{.smMhzMin = mhz, .smMhzMax = mhz, .throttled = false, .reason = {}};
        m_clocks->smMhzMin = std::min(m_clocks->smMhzMin, mhz);
        m_clocks->smMhzMax = std::max(m_clocks->smMhzMax, mhz);
        m_nvml.addThrottling(m_info.uuid, *m_clocks);
    }

    int m_index;
    DeviceInfo m_info;
    CudaContext m_context;
    std::unique_ptr<Event> m_begin, m_end;
    std::optional<Limits> m_limits;
    std::optional<ClockState> m_clocks;
    Nvml m_nvml;
};

std::string whyNone(cudaError_t result) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (result == cudaErrorInsufficientDriver) {
        int driver = 0, runtime = 0;
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        if (driver == 0) return "No NVIDIA driver found.";
        return "The NVIDIA driver supports CUDA " + versionText(driver) + ", Warplens needs " + versionText(runtime) +
               ": update the driver.";
    }
    if (visible != nullptr &&
        (*visible == '\0' || std::string(visible) == "-1" || std::string(visible) == "NoDevFiles")) {
        return std::string("CUDA_VISIBLE_DEVICES is '") + visible + "', which hides every GPU: unset it to use one.";
    }
    if (result == cudaErrorNoDevice) return "An NVIDIA driver is here, but no GPU.";
    return std::string("CUDA does not start (") + cudaGetErrorName(result) + "): check nvidia-smi.";
}

}  // namespace

std::vector<DeviceInfo> cudaDevices(std::string& why) {
    int count = 0;
    const auto result = cudaGetDeviceCount(&count);
    cudaGetLastError();
    std::vector<DeviceInfo> list;
    if (result != cudaSuccess || count == 0) {
        why = whyNone(result == cudaSuccess ? cudaErrorNoDevice : result);
        return list;
    }
    try {
        for (int i = 0; i < count; ++i) list.push_back(describe(i));
    } catch (const Error& error) {
        why = error.what();
    }
    return list;
}

std::unique_ptr<Device> openCudaDevice(int index) { return std::make_unique<CudaDevice>(index); }

void describeCuda(Environment& environment) {
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess) environment.cudaRuntime = versionText(version);
    if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0) environment.cudaDriver = versionText(version);
}

}  // namespace warplens::gpu
