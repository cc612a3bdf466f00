// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gpu/run/live.hpp"
#include "gpu/run/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::recipe {

/// Draws what is seen of a recipe's result while its values change: of the rows that are seen, with their halo, in
/// strips that go through all steps and are reduced to the display's resolution one by one. What is drawn is what the
/// steps make, unverified; no whole picture is made. A GPU makes the whole of each step where the one before it lies,
/// and draws the last. Not thread-safe.
class Drafter {
public:
    /// `runner` must outlive it.
    explicit Drafter(Runner& runner) : m_runner(runner) {}

    /// The steps that are on, on base.input: each is run once by the variant it names, or by what `auto` takes. The
    /// record is the first step's, without time or result. Nothing is seen where a step needs more than rows (another
    /// picture, all of it at once, slices), changes the extents, or would have kernels emulated for most of the
    /// picture; nor where a step did not run, which is the record's then. On a GPU `base` is the first step's request,
    /// whose record is that of Runner::preview(), and a step may change the extents. Throws Error; stopping throws
    /// Error(cancelled).
    Preview draw(const Recipe& steps, const Request& base, const std::shared_ptr<const render::Display>& display,
                 const std::stop_token& stop);

private:
    Preview drawOnDevice(const Recipe& steps, const Request& base,
                         const std::shared_ptr<const render::Display>& display, const std::stop_token& stop);
    Preview drawInStrips(const Recipe& steps, const Request& base, const render::Display& display,
                         const std::stop_token& stop);

    class Drawing;
    /// What `auto` took when all steps were libraries', on which device; a step's family and variant.
    struct Known {
        std::string device;
        std::int64_t memoryCap = 0;
        std::vector<std::pair<std::string, std::string>> steps;
    };
    Runner& beside(std::size_t worker);

    Runner& m_runner;
    Known m_known;
    std::vector<std::unique_ptr<Runner>> m_beside;  ///< one a thread
};

}  // namespace warplens::gpu::recipe
