// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/core/plain_kernels.hpp"
#include "gpu/user/source.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::user {

/// What is given for one parameter of a kernel.
struct Slot {
    enum class Kind {
        input,
        output,
        words,  ///< floats or integers of its own
        value,
        // Of a launch that is repeated:
        before,        ///< what the launch before made
        changed,       ///< one integer, 0 before each launch
        step,          ///< which launch it is, from 1 on
        frontier,      ///< what the launch before wrote to `next`
        frontierSize,  ///< how many those are, which is what it left in `changed`
        next
    };
    Kind kind = Kind::value;
    std::vector<std::uint32_t> words{};  ///< that the pointer leads to, bit by bit
    std::uint64_t bits = 0;              ///< a value of the parameter's own type, in its first bytes
};

/// A launch of a kernel with everything but addresses.
struct Binding {
    std::vector<Slot> slots{};  ///< a parameter each
    std::array<unsigned, 3> grid{}, block{};
    bool repeated = false;  ///< until `changed` stays 0
    bool listed = false;    ///< the grid is one row that covers the frontier, `grid` is not used
    bool has(Slot::Kind kind) const;
    int launches = 1;  ///< one a plane, unless the kernel takes all: input and output begin at the plane then
};

/// "float", "unsigned char": the type of a picture's values.
const char* typeNameOf(io::PixelType type);

/// Binds each parameter by its name, and checks its type. `tunables` has all of the source's. Throws Error(argument),
/// which names what there is, and Error(unsupported) for a task that no such kernel can do.
Binding bind(const KernelSource& source, const PlainTask& task, const std::vector<Parameter>& parameters,
             const ParameterValues& values, const TunableValues& tunables);

/// What stands before and after the text of the file, to compile it for the SIMT device or by NVRTC: the types
/// pixel_t and result_t and the declared tunables as constants, and a function that calls the kernel.
std::string prologueOf(const KernelSource& source, const PlainTask& task, const TunableValues& tunables);
std::string callerOf(const KernelSource& source);

/// What a parameter of a kernel may be called beside in and out; its type where that is a pointer's, else empty.
struct Offered {
    std::string name{};
    std::string pointer{};
};
std::vector<Offered> offeredNames(const PlainTask& task, const std::vector<Parameter>& parameters,
                                  const ParameterValues& values);

/// What callerOf() calls the function: void(void* const* addressesOfArguments).
inline constexpr const char* kCaller = "warplens_call";
/// And what holds the kernel's address.
inline constexpr const char* kAddress = "warplens_kernel";

}  // namespace warplens::gpu::user
