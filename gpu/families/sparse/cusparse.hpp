// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/families/sparse/arguments.hpp"

#include <memory>
#include <string>

namespace warplens::gpu::library {

/// Why cuSPARSE cannot be called, or empty. It is looked for when it is first asked for.
std::string cusparseRefusal();

/// cusparseSpMV on one stored matrix: in rows or in slices.
class Cusparse {
public:
    /// What it prepares for the matrix is not timed with a product. The matrix must outlive it.
    Cusparse(Device& device, const sparse::Stored& matrix);
    ~Cusparse();

    /// y = A x, on the device's stream.
    void multiply(const sparse::Vector& x, const sparse::Vector& y);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warplens::gpu::library
