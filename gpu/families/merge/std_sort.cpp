// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/families/merge/problem.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace warplens::gpu::library {
namespace {

/// The family's order: -0 before +0, NaN last. Every so often it asks whether to go on: a sort of 2^28 values takes
/// half a minute, and std::sort knows no other way out than an exception.
class Before {
public:
    Before(const std::stop_token& stop, unsigned& asked) : m_stop(&stop), m_asked(&asked) {}

    template <class T>
    bool operator()(T a, T b) const {
        goOn();
        return merge::comesBefore(a, b);
    }

private:
    void goOn() const {
        if ((++*m_asked & 0xfffffU) == 0 && m_stop->stop_requested())
            throw Error(Error::Kind::cancelled, "sorting stopped");
    }

    const std::stop_token* m_stop;
    unsigned* m_asked;  ///< algorithms copy the comparison
};

/// std::merge of sorted lists, or std::sort, channel by channel on one core. Returns the milliseconds of those calls.
double stdMerge(const merge::MergeProblem& problem, io::Grid& output, const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const io::Grid& input = *problem.input();
    const auto pixels = static_cast<std::size_t>(input.shape().pixels());
    const auto channels = static_cast<std::size_t>(input.shape().channels);
    Clock::duration took{};
    io::withType(input.type(), [&]<class T>(T) {
        std::vector<T> values(pixels), merged(pixels);
        unsigned asked = 0;
        const Before before(stop, asked);
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t i = 0; i < pixels; ++i) values[i] = input.as<T>()[i * channels + c];
            const auto middle = values.begin() + static_cast<std::ptrdiff_t>(problem.firstLists().length);
            if (problem.task() == merge::Task::merge) {
                if (!problem.listsGiven()) {
                    std::sort(values.begin(), middle, before);
                    std::sort(middle, values.end(), before);
                }
                const auto start = Clock::now();
                std::merge(values.begin(), middle, middle, values.end(), merged.begin(), before);
                took += Clock::now() - start;
            } else {
                const auto start = Clock::now();
                std::sort(values.begin(), values.end(), before);
                took += Clock::now() - start;
                merged.swap(values);
            }
            for (std::size_t i = 0; i < pixels; ++i) output.as<T>()[i * channels + c] = merged[i];
        }
    });
    return std::chrono::duration<double, std::milli>(took).count();
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::merge {

MergeFrame::Library std_sort_library() {
    return {.run = [](const MergeProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
        auto output = p.emptyOutput();
        milliseconds = library::stdMerge(p, *output, stop);
        return p.resultOf(std::move(output));
    }};
}

}  // namespace warplens::gpu::merge
