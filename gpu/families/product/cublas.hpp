// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/families/product/arguments.hpp"

#include <memory>
#include <string>

namespace warplens::gpu::library {

/// Why cuBLAS cannot be called for this, or empty. It is looked for when it is first asked for.
std::string cublasRefusal(const product::Case& asked);

/// cublasSgemmStridedBatched, with or without leave to round what it multiplies to TF32.
class Cublas {
public:
    Cublas(Device& device, bool tf32);
    ~Cublas();

    /// Both factors and the result floats, on the device's stream.
    void launch(const product::Multiplication& m);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warplens::gpu::library
