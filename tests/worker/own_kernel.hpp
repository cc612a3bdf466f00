// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/client.hpp"
#include "app/worker/worker_process.hpp"
#include "gpu/run/runner.hpp"
#include "io/generate.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace warplens::worker::testing {

/// Runs a kernel of this text, in a file my_kernel.cuh, on a generated picture, and verifies it.
inline gpu::RunRecord runKernel(const std::string& text, const std::string& family = "convolution",
                                gpu::ParameterValues parameters = {},
                                const std::string& picture = "gen:noise:48x40:f32", gpu::TunableValues tunables = {},
                                const std::string& device = "cpu") {
    const test::TemporaryFolder folder;
    test::writeText(folder / "my_kernel.cuh", text);
    gpu::Request request;
    request.input = std::make_shared<const io::Grid>(io::generate(picture));
    request.inputName = picture;
    request.family = family;
    request.parameters = std::move(parameters);
    request.tunables = std::move(tunables);
    request.device = device;
    request.timing = gpu::TimingPolicy::once();
    request.measureLimits = false;
    request.kernels = {loadKernel(folder / "my_kernel.cuh")};
    request.kernelsAlone = true;
    return gpu::Runner().run(request).runs.at(0);
}

/// Whether there is a g++ from now on. The two workers that may wait already know what was there before.
inline void setCompilerThere(bool there) {
    if (there)
        unsetenv("WARPLENS_CXX");
    else
        setenv("WARPLENS_CXX", "", 1);
    for (int spare = 0; spare < 2; ++spare) takeWorker("cpu").reset();
}

/// Keeps spare workers, as the window does, and tells at the end of the suite how soon a kernel was verified that came
/// after one that did what it must not.
class AfterFaults : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        keepSpares();
        slowest = 0;
    }
    static void TearDownTestSuite() {
        if (slowest > 0) std::printf("The kernel after a fault was verified within %.0f ms\n", slowest);
    }
    template <class F>
    static gpu::RunRecord next(const F& run) {
        const auto begin = std::chrono::steady_clock::now();
        gpu::RunRecord record = run();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        slowest = std::max(slowest, took.count());
        return record;
    }

private:
    static inline double slowest = 0;
};

/// The kernel of an identity, with `before` in front of the function and `body` in front of its store.
inline std::string kernelWith(const std::string& body, const std::string& before = {}) {
    return "// One line.\n" + before +
           "\n__global__ void mine(const float* in, float* out, int width, int height) {\n"
           "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n" +
           body + "\n    if (x < width && y < height) out[y * width + x] = in[y * width + x];\n}\n";
}

}  // namespace warplens::worker::testing
