// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/graph.hpp"

namespace warplens::gpu::cuda {
namespace {

class Graph final : public LaunchGraph {
public:
    /// Takes the graph over.
    Graph(cudaStream_t stream, cudaGraph_t graph) : m_stream(stream) {
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
};

/// Ends the recording in any case.
class Recording {
public:
    explicit Recording(cudaStream_t stream) : m_stream(stream) {
        WARPLENS_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    }
    ~Recording() {
        if (m_ended) return;
        cudaGraph_t graph = nullptr;
        cudaStreamEndCapture(m_stream, &graph);
        if (graph != nullptr) cudaGraphDestroy(graph);
        cudaGetLastError();
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    cudaGraph_t end() {
        m_ended = true;
        cudaGraph_t graph = nullptr;
        WARPLENS_CUDA(cudaStreamEndCapture(m_stream, &graph));
        return graph;
    }

private:
    cudaStream_t m_stream;
    bool m_ended = false;
};

}  // namespace

std::unique_ptr<LaunchGraph> record(cudaStream_t stream, const std::function<void()>& work) {
    Recording recording(stream);
    work();
    return std::make_unique<Graph>(stream, recording.end());
}

}  // namespace warplens::gpu::cuda
