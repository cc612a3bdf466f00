// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/event.hpp"
#include "gpu/device/cuda/graph.hpp"
#include "gpu/device/cuda/lane.hpp"
#include "gpu/device/cuda/launch.cuh"

#include <utility>

namespace warplens::gpu::cuda {
namespace {

class EventMoment final : public Moment {
public:
    EventMoment(cudaStream_t stream, unsigned flags) : m_event(flags) {
        WARPLENS_CUDA(cudaEventRecord(m_event, stream));
    }
    void wait() override { WARPLENS_CUDA(cudaEventSynchronize(m_event)); }
    double msSince(const Moment& earlier) const override {
        float ms = 0;
        WARPLENS_CUDA(cudaEventElapsedTime(&ms, dynamic_cast<const EventMoment&>(earlier).m_event, m_event));
        return ms;
    }
    cudaEvent_t event() const { return m_event; }

private:
    Event m_event;
};

/// Launches go into another stream for a while.
class Diverted {
public:
    Diverted(CudaContext& context, cudaStream_t stream)
        : m_context(context), m_own(std::exchange(context.stream, stream)) {}
    ~Diverted() { m_context.stream = m_own; }
    Diverted(const Diverted&) = delete;
    Diverted& operator=(const Diverted&) = delete;

private:
    CudaContext& m_context;
    cudaStream_t m_own;
};

class StreamLane final : public Lane {
public:
    StreamLane(CudaContext& context, int index, StreamKind kind) : m_context(context), m_index(index) {
        select();
        if (kind == StreamKind::null) {
            m_stream = cudaStreamLegacy;
            return;
        }
        int least = 0, greatest = 0;
        WARPLENS_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        WARPLENS_CUDA(cudaStreamCreateWithPriority(
            &m_stream, kind == StreamKind::besideNull ? cudaStreamDefault : cudaStreamNonBlocking,
            kind == StreamKind::urgent ? greatest : least));
    }
    ~StreamLane() override {
        // After a sticky fault all of this fails as well.
        cudaSetDevice(m_index);
        cudaStreamSynchronize(m_stream);
        if (m_stream != cudaStreamLegacy) cudaStreamDestroy(m_stream);
        cudaGetLastError();
    }

    void upload(const Buffer& to, std::size_t at, const void* from, std::size_t bytes) override {
        select();
        WARPLENS_CUDA(cudaMemcpyAsync(address(to, at), from, bytes, cudaMemcpyDefault, m_stream));
    }
    void download(void* to, std::function<const Buffer&()> from, std::size_t at, std::size_t bytes) override {
        select();
        WARPLENS_CUDA(cudaMemcpyAsync(to, address(from(), at), bytes, cudaMemcpyDefault, m_stream));
    }
    void copy(const Buffer& to, std::size_t toAt, const Buffer& from, std::size_t fromAt, std::size_t bytes) override {
        select();
        WARPLENS_CUDA(cudaMemcpyAsync(address(to, toAt), address(from, fromAt), bytes, cudaMemcpyDefault, m_stream));
    }
    void run(std::function<void()> work) override {
        select();
        const Diverted diverted(m_context, m_stream);
        work();
    }
    std::shared_ptr<Moment> mark() override {
        select();
        return std::make_shared<EventMoment>(m_stream, cudaEventDefault);
    }
    std::shared_ptr<Moment> markUntimed() override {
        select();
        return std::make_shared<EventMoment>(m_stream, cudaEventDisableTiming);
    }
    void after(const std::shared_ptr<Moment>& moment) override {
        select();
        WARPLENS_CUDA(cudaStreamWaitEvent(m_stream, dynamic_cast<const EventMoment&>(*moment).event(), 0));
    }
    std::unique_ptr<LaunchGraph> record(const std::vector<Lane*>& beside, const std::function<void()>& work) override {
        select();
        std::vector<RecordedStream> streams{{&m_context, m_index, m_stream}};
        for (Lane* lane : beside) {
            const auto& other = dynamic_cast<const StreamLane&>(*lane);
            streams.push_back({&other.m_context, other.m_index, other.m_stream});
        }
        return cuda::record(streams, work);
    }

private:
    static std::byte* address(const Buffer& buffer, std::size_t at) {
        return reinterpret_cast<std::byte*>(buffer.handle()) + at;
    }
    void select() const {
        if (m_context.stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        WARPLENS_CUDA(cudaSetDevice(m_index));
    }

    CudaContext& m_context;
    int m_index;
    cudaStream_t m_stream = nullptr;
};

}  // namespace

std::unique_ptr<Lane> createStream(CudaContext& context, int index, StreamKind kind) {
    return std::make_unique<StreamLane>(context, index, kind);
}

}  // namespace warplens::gpu::cuda
