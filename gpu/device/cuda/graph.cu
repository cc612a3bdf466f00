// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/graph.hpp"

namespace warplens::gpu::cuda {
namespace {

using RecordedKernels = std::vector<std::shared_ptr<const SpecialKernel>>;

class Graph final : public LaunchGraph {
public:
    /// Takes the graph over.
    Graph(cudaStream_t stream, cudaGraph_t graph, RecordedKernels kernels)
        : m_stream(stream), m_kernels(std::move(kernels)) {
        const auto result = cudaGraphInstantiate(&m_graph, graph, 0);
        cudaGraphDestroy(graph);
        WARPLENS_CUDA(result);
        WARPLENS_CUDA(cudaGraphUpload(m_graph, m_stream));
    }
    ~Graph() override { cudaGraphExecDestroy(m_graph); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void launch() override { WARPLENS_CUDA(cudaGraphLaunch(m_graph, m_stream)); }

private:
    cudaStream_t m_stream;
    cudaGraphExec_t m_graph = nullptr;
    RecordedKernels m_kernels;
};

/// Ends the recording in any case.
class Recording {
public:
    Recording(CudaContext& context, cudaStream_t stream) : m_context(context), m_stream(stream) {
        WARPLENS_CUDA(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal));
        context.recorded = &m_kernels;
    }
    ~Recording() {
        m_context.recorded = nullptr;
        if (m_ended) return;
        cudaGraph_t graph = nullptr;
        cudaStreamEndCapture(m_stream, &graph);
        if (graph != nullptr) cudaGraphDestroy(graph);
        cudaGetLastError();
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    RecordedKernels kernels() { return std::move(m_kernels); }
    cudaGraph_t end() {
        m_ended = true;
        cudaGraph_t graph = nullptr;
        WARPLENS_CUDA(cudaStreamEndCapture(m_stream, &graph));
        return graph;
    }

private:
    CudaContext& m_context;
    cudaStream_t m_stream;
    RecordedKernels m_kernels;
    bool m_ended = false;
};

}  // namespace

std::unique_ptr<LaunchGraph> record(CudaContext& context, cudaStream_t stream, const std::function<void()>& work) {
    Recording recording(context, stream);
    work();
    cudaGraph_t const graph = recording.end();
    return std::make_unique<Graph>(stream, graph, recording.kernels());
}

}  // namespace warplens::gpu::cuda
