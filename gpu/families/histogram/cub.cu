// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/launch.cuh"
#include "gpu/families/histogram/cub.hpp"

#include <cub/device/device_histogram.cuh>
#include <limits>
#include <vector>

namespace warplens::gpu::library {

/// What a call needs, and where it counts: 32 bits a bin, as users of CUB have it.
struct CubHistogram::State {
    Device& device;
    io::PixelType type;
    std::uint64_t planes;
    std::int64_t values;
    int channels;
    int bins;
    bool even;        ///< CUB divides; no slots beside the bins
    int evenTop = 0;  ///< the integer type's end
    Buffer levels, counts, scratch;
    std::size_t scratchBytes = 0;

    int countsPerChannel() const { return even ? bins : bins + 2; }

    template <class T>
    void call(void* temporary, std::size_t& bytes, int channel) {
        auto& context = device.context();
        const auto stream = static_cast<CudaContext&>(context).stream;
        const T* samples = static_cast<const T*>(context.address(planes)) + static_cast<std::int64_t>(channel) * values;
        unsigned* out = static_cast<unsigned*>(context.address(counts.handle())) +
                        static_cast<std::int64_t>(channel) * countsPerChannel();
        if constexpr (sizeof(T) < 4) {
            if (even) {
                WARPLENS_CUDA(cub::DeviceHistogram::HistogramEven(temporary, bytes, samples, out, bins + 1, 0, evenTop,
                                                                  values, stream));
                return;
            }
        }
        const auto* edges = static_cast<const float*>(context.address(levels.handle()));
        WARPLENS_CUDA(cub::DeviceHistogram::HistogramRange(temporary, bytes, samples, out, countsPerChannel() + 1,
                                                           edges, values, stream));
    }

    void callFor(void* temporary, std::size_t& bytes, int channel) {
        io::withSampleType(type, [&]<class T>(T) { call<T>(temporary, bytes, channel); });
    }
};

CubHistogram::CubHistogram(Device& device, const histogram::Edges& edges, io::PixelType type, std::uint64_t planes,
                           std::int64_t values, int channels) {
    const int top = type == io::PixelType::u8 ? 256 : 65536;
    const bool even =
        type != io::PixelType::f32 && edges.equal && edges.lo() == 0 && edges.hi() == top && top % edges.bins() == 0;
    m_state =
        std::make_unique<State>(State{device, type, planes, values, channels, edges.bins(), even, top, {}, {}, {}});
    State& s = *m_state;
    if (!even) {
        auto levels = histogram::thresholds(edges);
        levels.insert(levels.begin(), -std::numeric_limits<float>::infinity());
        levels.push_back(std::numeric_limits<float>::infinity());
        s.levels = device.allocate(levels.size() * sizeof(float));
        device.upload(s.levels, levels.data(), levels.size() * sizeof(float));
    }
    s.counts = device.allocate(static_cast<std::size_t>(channels) * s.countsPerChannel() * sizeof(unsigned));
    if (values == 0) return;
    s.callFor(nullptr, s.scratchBytes, 0);
    s.scratch = device.allocate(s.scratchBytes);
}

CubHistogram::~CubHistogram() = default;

void CubHistogram::launch() {
    State& s = *m_state;
    if (s.values == 0) return s.device.fill(s.counts, 0);
    for (int c = 0; c < s.channels; ++c) s.callFor(s.device.context().address(s.scratch.handle()), s.scratchBytes, c);
}

void CubHistogram::poison() { m_state->device.fill(m_state->counts, 0xff); }

void CubHistogram::download(BinnedCounts& result) {
    State& s = *m_state;
    const int each = s.countsPerChannel();
    std::vector<unsigned> counts(static_cast<std::size_t>(s.channels) * each);
    s.device.download(counts.data(), s.counts, counts.size() * sizeof(unsigned));
    for (int c = 0; c < s.channels; ++c) {
        CountedChannel& channel = result.channels[static_cast<std::size_t>(c)];
        const unsigned* from = counts.data() + static_cast<std::ptrdiff_t>(c) * each;
        if (!s.even) {
            channel.below = from[0];
            channel.above = from[each - 1];
            ++from;
        }
        channel.bins.assign(from, from + s.bins);
        channel.nan = s.values - channel.below - channel.above;
        for (const auto n : channel.bins) channel.nan -= n;
    }
}

}  // namespace warplens::gpu::library
