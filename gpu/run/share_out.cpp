// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/share_out.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace warplens::gpu {

void parallelForEach(std::size_t workers, std::int64_t count,
                     const std::function<void(std::size_t worker, std::int64_t thing)>& one) {
    struct Failure {
        std::int64_t thing = 0;
        std::exception_ptr what{};
    };
    const auto at = static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
    std::vector<Failure> failures(std::min(std::max<std::size_t>(workers, 1), at));
    std::atomic<std::int64_t> next{static_cast<std::int64_t>(failures.size())};
    std::atomic<bool> failed{false};
    const auto serve = [&](std::size_t worker) {
        for (auto thing = static_cast<std::int64_t>(worker); thing < count && !failed; thing = next++) {
            try {
                one(worker, thing);
            } catch (...) {
                failures[worker] = {thing, std::current_exception()};
                failed = true;
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t worker = 1; worker < failures.size(); ++worker) threads.emplace_back(serve, worker);
        serve(0);
    }
    std::erase_if(failures, [](const Failure& failure) { return failure.what == nullptr; });
    if (failures.empty()) return;
    std::rethrow_exception(std::ranges::min_element(failures, {}, &Failure::thing)->what);
}

}  // namespace warplens::gpu
