// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/cuda_device.hpp"
#include "gpu/device/cuda/event.hpp"
#include "gpu/device/cuda/graph.hpp"
#include "gpu/device/cuda/hold.hpp"
#include "gpu/device/cuda/lane.hpp"
#include "gpu/device/cuda/launch.cuh"
#include "gpu/device/cuda/limits.hpp"
#include "gpu/device/cuda/nvml.hpp"
#include "gpu/device/cuda/pinned.hpp"
#include "gpu/device/cuda/placement.hpp"
#include "gpu/device/peers.hpp"

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

class CudaDevice final : public Device, public StreamDevice, public Peers {
public:
    explicit CudaDevice(int index) : m_index(index) {
        WARPLENS_CUDA(cudaSetDevice(index));
        m_info = describe(index);
        WARPLENS_CUDA(cudaStreamCreateWithFlags(&m_context.stream, cudaStreamNonBlocking));
        m_begin = std::make_unique<cuda::Event>();
        m_end = std::make_unique<cuda::Event>();
        m_info.freeBytes = freeBytes();
    }
    ~CudaDevice() override {
        cudaSetDevice(m_index);  // also for the modules that go with the context
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
        return {*this, reinterpret_cast<std::uint64_t>(m_memory.take(bytes)), bytes};
    }
    // The caller's memory may go away at once.
    void upload(const Buffer& to, const void* from, std::size_t bytes) override { copy(address(to), from, bytes); }
    void download(void* to, const Buffer& from, std::size_t bytes) override { copy(to, address(from), bytes); }
    void fill(const Buffer& buffer, int byte) override {
        select();
        WARPLENS_CUDA(cudaMemsetAsync(address(buffer), byte, buffer.bytes(), m_context.stream));
    }
    void synchronize() override {
        if (recording()) return;  // nothing of it has begun
        m_hold.release();
        WARPLENS_CUDA(cudaStreamSynchronize(m_context.stream));
    }
    LaunchContext& context() override {
        select();
        return m_context;
    }
    double time(const std::function<void()>& work) override {
        select();
        queueTimed(work);
        WARPLENS_CUDA(cudaEventSynchronize(*m_end));
        float ms = 0;
        WARPLENS_CUDA(cudaEventElapsedTime(&ms, *m_begin, *m_end));
        observeClock();
        return ms;
    }
    std::unique_ptr<LaunchGraph> record(const std::function<void()>& work) override {
        if (recording()) return nullptr;
        return cuda::record({{&m_context, m_index, m_context.stream}}, work);
    }
    bool recording() const override {
        select();
        auto status = cudaStreamCaptureStatusNone;
        WARPLENS_CUDA(cudaStreamIsCapturing(m_context.stream, &status));
        return status != cudaStreamCaptureStatusNone;
    }
    std::unique_ptr<Lane> createStream(StreamKind kind) override {
        return cuda::createStream(m_context, m_index, kind);
    }
    std::shared_ptr<std::byte> pinned(std::size_t bytes) const override {
        select();
        return cuda::pinned(bytes);
    }
    void setPlacement(Placement placement, std::size_t least) override { m_memory.place(placement, least, m_index); }
    std::byte* hostAddress(const Buffer& buffer) const override {
        return m_memory.onHost(buffer.handle()) ? static_cast<std::byte*>(address(buffer)) : nullptr;
    }
    std::string whyNoPeer(Device& other) override {
        const auto* peer = dynamic_cast<const CudaDevice*>(&other);
        const std::string none = m_info.id + " cannot access the memory of " + other.info().id;
        int can = 0;
        if (peer == nullptr) return none;
        WARPLENS_CUDA(cudaDeviceCanAccessPeer(&can, m_index, peer->m_index));
        if (can == 0) return none;
        select();
        // For the process: another device object of this GPU may have done it.
        const cudaError_t result = cudaDeviceEnablePeerAccess(peer->m_index, 0);
        if (result == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError();
        else
            cuda::check(result, "cudaDeviceEnablePeerAccess");
        return {};
    }
    void copyToPeer(const Buffer& from, std::size_t fromAt, Device& other, const Buffer& to, std::size_t toAt,
                    std::size_t bytes) override {
        select();
        m_hold.release();
        WARPLENS_CUDA(
            cudaMemcpyPeerAsync(static_cast<char*>(address(to)) + toAt, dynamic_cast<const CudaDevice&>(other).m_index,
                                static_cast<const char*>(address(from)) + fromAt, m_index, bytes, m_context.stream));
    }
    void specialise(const std::function<void()>& launches) override {
        select();
        m_context.specialise(launches, {.capability = 10 * m_info.capabilityMajor + m_info.capabilityMinor,
                                        .seconds = patience(),
                                        .moving = moving(),
                                        .stop = m_context.stop});
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
    /// Waits for it. Stops between two pieces, each of which takes milliseconds, from pageable memory about ten.
    void copy(void* to, const void* from, std::size_t bytes) {
        constexpr std::size_t kPiece = std::size_t{64} << 20;
        if (recording())
            throw Error(Error::Kind::unsupported,
                        m_info.id + ": its steps wait for values of the device, so they cannot be recorded as a graph");
        m_hold.release();
        for (std::size_t at = 0; at < bytes; at += kPiece) {
            if (at > 0 && m_context.stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
            WARPLENS_CUDA(cudaMemcpyAsync(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at,
                                          std::min(kPiece, bytes - at), cudaMemcpyDefault, m_context.stream));
            WARPLENS_CUDA(cudaStreamSynchronize(m_context.stream));
        }
    }
    void release(std::uint64_t handle) noexcept override { m_memory.release(reinterpret_cast<void*>(handle)); }
    /// What `work` launches, between the two events; it begins once all of it is queued.
    void queueTimed(const std::function<void()>& work) {
        struct LetGo {
            cuda::Hold& hold;
            ~LetGo() { hold.release(); }
        } letGo{m_hold};
        m_hold.begin(m_context.stream);
        WARPLENS_CUDA(cudaEventRecord(*m_begin, m_context.stream));
        work();
        WARPLENS_CUDA(cudaEventRecord(*m_end, m_context.stream));
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
    cuda::Memory m_memory;
    std::unique_ptr<cuda::Event> m_begin, m_end;
    cuda::Hold m_hold;  ///< of a timing under way; let go before waiting for the stream
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
