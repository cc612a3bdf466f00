// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/std_sort.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace warplens::gpu::library {
namespace {

/// The family's order: -0 before +0, NaN last.
struct Before {
    template <class T>
    bool operator()(T a, T b) const {
        return a < b;
    }
    bool operator()(float a, float b) const {
        if (a < b) return true;
        if (b < a) return false;
        if (a == b) return std::signbit(a) && !std::signbit(b);
        return std::isnan(b) && !std::isnan(a);
    }
};

}  // namespace

double stdMerge(const io::Grid& input, merge::Task task, io::Grid& output) {
    using Clock = std::chrono::steady_clock;
    const auto pixels = static_cast<std::size_t>(input.shape().pixels());
    const auto channels = static_cast<std::size_t>(input.shape().channels);
    Clock::duration took{};
    io::withType(input.type(), [&]<class T>(T) {
        std::vector<T> values(pixels), merged(pixels);
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t i = 0; i < pixels; ++i) values[i] = input.as<T>()[i * channels + c];
            const auto middle = values.begin() + static_cast<std::ptrdiff_t>(pixels - pixels / 2);
            if (task == merge::Task::merge) {
                std::sort(values.begin(), middle, Before{});
                std::sort(middle, values.end(), Before{});
                const auto start = Clock::now();
                std::merge(values.begin(), middle, middle, values.end(), merged.begin(), Before{});
                took += Clock::now() - start;
            } else {
                const auto start = Clock::now();
                std::sort(values.begin(), values.end(), Before{});
                took += Clock::now() - start;
                merged.swap(values);
            }
            for (std::size_t i = 0; i < pixels; ++i) output.as<T>()[i * channels + c] = merged[i];
        }
    });
    return std::chrono::duration<double, std::milli>(took).count();
}

}  // namespace warplens::gpu::library
