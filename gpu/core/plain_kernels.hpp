// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace warplens::gpu {

/// What a kernel on plain pointers may name among its parameters: a number, or floats that it reads through a pointer.
struct PlainArgument {
    std::string name{};
    std::variant<std::int64_t, double, std::vector<float>> value{};
};

/// A task as a kernel on plain pointers sees it: planes one behind the other, rows one behind the other, x fastest.
struct PlainTask {
    std::string refusal{};  ///< why one launch on plain pointers cannot do it, or empty
    std::shared_ptr<const io::Grid> input{};
    io::PixelType outputType{};
    int width = 0, height = 0;  ///< of an input plane
    int outputWidth = 0, outputHeight = 0;
    bool threadsOfInput = false;             ///< the grid covers the input; else the output
    bool zeroed = false;                     ///< the output begins as zeros, for kernels that add to it
    int planes = 1;                          ///< slices of all channels that are computed
    std::vector<PlainArgument> arguments{};  ///< beside the family's own parameters, which come by their ids
    std::string plain{};  ///< a kernel that does it, a thread a value, as a file's text without its head; or empty
};

/// What Problem::plainKernels() tells where a kernel of the user's can do the work: pictures in, pictures out.
class PlainKernels {
public:
    virtual ~PlainKernels() = default;
    virtual PlainTask plainTask() const = 0;
    /// Of the planes that such a kernel made.
    virtual Result resultOfPlanes(const std::vector<std::byte>& planes) const = 0;
};

}  // namespace warplens::gpu
