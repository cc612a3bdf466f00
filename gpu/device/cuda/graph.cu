// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/event.hpp"
#include "gpu/device/cuda/graph.hpp"

#include <span>
#include <utility>

namespace warplens::gpu::cuda {
namespace {

using RecordedKernels = std::vector<std::shared_ptr<const SpecialKernel>>;

class Graph final : public LaunchGraph {
public:
    /// Takes the graph over.
    Graph(const RecordedStream& first, cudaGraph_t graph, RecordedKernels kernels)
        : m_first(first), m_kernels(std::move(kernels)) {
        const auto result = cudaGraphInstantiate(&m_graph, graph, 0);
        cudaGraphDestroy(graph);
        WARPLENS_CUDA(result);
        WARPLENS_CUDA(cudaGraphUpload(m_graph, m_first.stream));
    }
    ~Graph() override { cudaGraphExecDestroy(m_graph); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void launch() override {
        WARPLENS_CUDA(cudaSetDevice(m_first.device));
        WARPLENS_CUDA(cudaGraphLaunch(m_graph, m_first.stream));
    }

private:
    RecordedStream m_first;
    cudaGraphExec_t m_graph = nullptr;
    RecordedKernels m_kernels;
};

/// Ends the recording in any case.
class Recording {
public:
    explicit Recording(const std::vector<RecordedStream>& streams) : m_streams(streams) {
        WARPLENS_CUDA(cudaSetDevice(first().device));
        WARPLENS_CUDA(cudaStreamBeginCapture(first().stream, cudaStreamCaptureModeThreadLocal));
        for (const RecordedStream& one : m_streams) one.context->recorded = &m_kernels;
        try {
            const Event begin;
            WARPLENS_CUDA(cudaEventRecord(begin, first().stream));
            for (const RecordedStream& one : beside()) {
                WARPLENS_CUDA(cudaSetDevice(one.device));
                WARPLENS_CUDA(cudaStreamWaitEvent(one.stream, begin, 0));
            }
        } catch (...) {
            abandon();
            throw;
        }
    }
    ~Recording() {
        if (!m_ended) abandon();
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    RecordedKernels kernels() { return std::move(m_kernels); }
    cudaGraph_t end() {
        for (const RecordedStream& one : beside()) {
            WARPLENS_CUDA(cudaSetDevice(one.device));
            const Event done;
            WARPLENS_CUDA(cudaEventRecord(done, one.stream));
            WARPLENS_CUDA(cudaSetDevice(first().device));
            WARPLENS_CUDA(cudaStreamWaitEvent(first().stream, done, 0));
        }
        forget();
        m_ended = true;
        cudaGraph_t graph = nullptr;
        WARPLENS_CUDA(cudaSetDevice(first().device));
        WARPLENS_CUDA(cudaStreamEndCapture(first().stream, &graph));
        return graph;
    }

private:
    const RecordedStream& first() const { return m_streams.front(); }
    std::span<const RecordedStream> beside() const { return std::span(m_streams).subspan(1); }
    void forget() noexcept {
        for (const RecordedStream& one : m_streams) one.context->recorded = nullptr;
    }
    void abandon() noexcept {
        forget();
        cudaGraph_t graph = nullptr;
        cudaSetDevice(first().device);
        cudaStreamEndCapture(first().stream, &graph);
        if (graph != nullptr) cudaGraphDestroy(graph);
        cudaGetLastError();
    }

    const std::vector<RecordedStream>& m_streams;
    RecordedKernels m_kernels;
    bool m_ended = false;
};

}  // namespace

std::unique_ptr<LaunchGraph> record(const std::vector<RecordedStream>& streams, const std::function<void()>& work) {
    Recording recording(streams);
    work();
    cudaGraph_t const graph = recording.end();
    return std::make_unique<Graph>(streams.front(), graph, recording.kernels());
}

}  // namespace warplens::gpu::cuda
