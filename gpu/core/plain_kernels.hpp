// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens::gpu {

/// What a kernel on plain pointers may name among its parameters: a number, or floats or integers that it reads through
/// a pointer.
struct PlainArgument {
    std::string name{};
    std::variant<std::int64_t, double, std::vector<float>, std::vector<std::int32_t>> value{};
};

/// How a launch is repeated until it finds nothing more to do.
struct PlainRepeat {
    std::vector<std::byte> start{};  ///< what the output begins as: its planes
    int quiet = 1;                   ///< so many launches one after the other that changed nothing end it
    std::int64_t most = 0;           ///< launches, at least one; to need more is an error
    /// Where the kernel may take a list of pixels instead of all: those of the first launch.
    std::optional<std::vector<std::int32_t>> frontier{};
};

/// A task as a kernel on plain pointers sees it: planes one behind the other, rows one behind the other, x fastest.
struct PlainTask {
    std::string refusal{};  ///< why launches on plain pointers cannot do it, or empty
    std::shared_ptr<const io::Grid> input{};
    io::PixelType outputType{};
    int width = 0, height = 0;  ///< of an input plane
    int outputWidth = 0, outputHeight = 0;
    bool threadsOfInput = false;             ///< the grid covers the input; else the output
    bool zeroed = false;                     ///< the output begins as zeros, for kernels that add to it
    int planes = 1;                          ///< slices of all channels that are computed
    std::vector<PlainArgument> arguments{};  ///< beside the family's own parameters, which come by their ids
    std::optional<PlainRepeat> repeat{};     ///< absent: one launch does it
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
