// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/histogram/problem.hpp"
#include "gpu/frame/cub_calls.cuh"

#include <cub/device/device_histogram.cuh>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace warplens::gpu {
namespace library {
namespace {

/// cub::DeviceHistogram over planes that lie one behind the other. It is given the same table of edges as our kernels
/// (HistogramRange), with one more at each infinity for what lies beside them; where an integer type's whole range is
/// divided evenly, it divides by itself (HistogramEven), which is exact there and its faster way. It counts in 32 bits
/// a bin, as users of CUB have it.
struct CubHistogram {
    Device& device;
    histogram::LibraryCase of;
    int evenTop = 0;  ///< the integer type's end where CUB divides, without slots beside the bins; else 0
    Buffer levels{}, counts{};

    int slots() const { return evenTop > 0 ? of.bins : of.bins + 2; }
    std::int64_t values() const { return static_cast<std::int64_t>(of.count); }

    template <class T>
    void call(void* temporary, std::size_t& bytes, std::uint64_t channel) const {
        auto& context = device.context();
        const T* const samples = static_cast<const T*>(context.address(of.input)) + channel * of.count;
        auto* const out = static_cast<unsigned*>(context.address(counts.handle())) + channel * slots();
        if constexpr (sizeof(T) < 4) {
            if (evenTop > 0) {
                WARPLENS_CUDA(cub::DeviceHistogram::HistogramEven(temporary, bytes, samples, out, of.bins + 1, 0,
                                                                  evenTop, values(), streamOf(device)));
                return;
            }
        }
        const auto* edges = static_cast<const float*>(context.address(levels.handle()));
        WARPLENS_CUDA(cub::DeviceHistogram::HistogramRange(temporary, bytes, samples, out, slots() + 1, edges, values(),
                                                           streamOf(device)));
    }

    /// Into the totals that a kernel leaves.
    void finish() const {
        const std::size_t each = slots(), slotCount = of.slotCount();
        std::vector<unsigned> counted(of.channels * each);
        device.download(counted.data(), counts, counted.size() * sizeof(unsigned));
        std::vector<std::int64_t> totals(of.channels * slotCount);
        for (std::size_t c = 0; c < of.channels; ++c) {
            const unsigned* from = counted.data() + c * each;
            std::int64_t* const to = totals.data() + c * slotCount;
            std::int64_t &below = to[histogram::belowSlot(of.bins)], &above = to[histogram::aboveSlot(of.bins)];
            if (evenTop == 0) {
                below = from[0];
                above = from[each - 1];
                ++from;
            }
            std::copy(from, from + of.bins, to);
            to[histogram::nanSlot(of.bins)] =
                std::accumulate(from, from + of.bins, values() - below - above, std::minus<std::int64_t>());
        }
        device.upload(*of.counted, totals.data(), totals.size() * sizeof(std::int64_t));
    }
};

LibraryCalls openHistogram(Device& device, const histogram::LibraryCase& of) {
    const int top = of.type == io::PixelType::u8 ? 256 : 65536;
    const histogram::Edges& edges = *of.edges;
    const bool even =
        of.type != io::PixelType::f32 && edges.equal && edges.lo() == 0 && edges.hi() == top && top % of.bins == 0;
    const auto made = std::make_shared<CubHistogram>(CubHistogram{device, of, even ? top : 0});
    if (!even) {
        auto levels = histogram::thresholds(edges);
        levels.insert(levels.begin(), -std::numeric_limits<float>::infinity());
        levels.push_back(std::numeric_limits<float>::infinity());
        made->levels = device.allocate(levels.size() * sizeof(float));
        device.upload(made->levels, levels.data(), levels.size() * sizeof(float));
    }
    made->counts = device.allocate(of.channels * made->slots() * sizeof(unsigned));
    LibraryCalls calls =
        cubCalls(device, of.count > 0 ? of.channels : 0, [made](void* temporary, std::size_t& bytes, std::uint64_t c) {
            io::withSampleType(made->of.type, [&]<class T>(T) { made->call<T>(temporary, bytes, c); });
        });
    if (of.count == 0) calls.launch = [made] { made->device.fill(made->counts, 0); };
    calls.poison = [made] { made->device.fill(made->counts, 0xff); };
    calls.finish = [made] { made->finish(); };
    return calls;
}

}  // namespace
}  // namespace library

namespace histogram {
namespace {

std::string cubRefusal(const HistogramProblem& p) {
    const std::int64_t values = p.input()->shape().pixels();
    if (values <= std::numeric_limits<std::uint32_t>::max()) return {};
    return "CUB is given 32-bit counters; a channel has " + std::to_string(values) + " values";
}

}  // namespace

HistogramFrame::Library cub_library() {
    return {.refusal = &cubRefusal,
            .open = &library::openHistogram,
            .note = "CUB drops what its edges do not hold: +infinity is counted with the values that are not a number"};
}

}  // namespace histogram
}  // namespace warplens::gpu
