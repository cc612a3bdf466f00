// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What a warp's instruction touched, summed over the warps that executed it. A request is one such instruction of one
/// warp, whatever the number of its active lanes; a fetch through a texture is a request for each quarter of the warp
/// with an active lane, as Nsight Compute counts it. Fields that mean nothing for a memory are 0.
struct AccessCount {
    std::int64_t requests = 0;
    std::int64_t lanes = 0;        ///< active lanes of all requests
    std::int64_t threadBytes = 0;  ///< bytes that threads asked for: lanes x size
    std::int64_t sectors = 0;      ///< global, texture: 32-byte sectors touched by a request
    std::int64_t usefulBytes = 0;  ///< global, texture: different bytes a request touched
    std::int64_t wavefronts = 0;   ///< shared: passes over the 32 banks
    std::int64_t words = 0;        ///< constant: different 4-byte words of a request; atomics: different addresses
    int worst = 0;  ///< largest wavefronts (shared), words (constant) or lanes on one address (atomics) of a request

    bool operator==(const AccessCount&) const = default;
};

enum class Space { global, shared, constant, texture };
enum class Operation { load, store, atomic };
/// A texture's values lie in global memory.
constexpr bool isGlobal(Space space) { return space == Space::global || space == Space::texture; }
const char* nameOf(Space space);          ///< "global", "shared", "constant", "texture"
const char* nameOf(Operation operation);  ///< "load", "store", "atomic"
inline constexpr std::initializer_list<Space> kSpaces{Space::global, Space::shared, Space::constant, Space::texture};
inline constexpr std::initializer_list<Operation> kOperations{Operation::load, Operation::store, Operation::atomic};

/// One access of one kernel.
struct CounterLine {
    std::string kernel;  ///< "naive<float, 2>"
    Space space = Space::global;
    Operation operation = Operation::load;
    std::string file;  ///< below the repository root, where the family's own code makes the access
    int line = 0;
    std::vector<std::string> stack;  ///< "FILE:LINE" from the access itself outwards to the kernel
    AccessCount count;

    bool operator==(const CounterLine&) const = default;
};

/// How often warps came to the branches of one line, and how often their lanes parted there: an if, a loop's condition.
struct BranchLine {
    std::string kernel;
    std::string file;  ///< as of a CounterLine
    int line = 0;
    std::vector<std::string> stack;  ///< "FILE:LINE" from the branch itself outwards to the kernel
    std::int64_t executions = 0;     ///< by warps
    std::int64_t divergent = 0;      ///< of them with lanes that went different ways
    std::int64_t lanesApart = 0;     ///< in sum, lanes that went another way than most of their warp

    bool operator==(const BranchLine&) const = default;
};

/// A defect of a kernel that the trace saw.
struct TraceFinding {
    /// "shared-race", "uninitialised-shared", "out-of-bounds", "divergent-barrier", "deadlock" or "global-race"
    std::string check;
    std::string kernel;
    std::string message;  ///< one sentence with block, thread and source line
    std::string file;
    int line = 0;

    bool operator==(const TraceFinding&) const = default;
};

/// What one kernel executes, or all kernels of a run together. Counted by the trace; counts of a sample of blocks are
/// scaled to the whole grid, corners, edges and interior each by their own share.
struct KernelCounters {
    std::string kernel;
    std::array<unsigned, 3> grid{}, block{};
    std::int64_t launches = 0;  ///< of this kernel with this shape
    std::int64_t blocks = 0, tracedBlocks = 0;

    bool operator==(const KernelCounters&) const = default;
};

struct Counters {
    double tracedShare = 1;  ///< 0..1 of all blocks of all launches
    AccessCount globalLoad, globalStore, sharedLoad, sharedStore, constant, texture, globalAtomics, sharedAtomics;
    std::int64_t blockContention = 0;  ///< most atomics of one block on one address
    std::int64_t annotatedRaces = 0;   ///< of the traced blocks: relaxed accesses that met one of another block
    double flops = 0;        ///< scalar floating-point operations, a fused multiply-add counted as two, an atomic's one
    double atomicFlops = 0;  ///< of them, those that atomics do: no instruction of a multiprocessor's FMA units
    double matrixOperations =
        0;  ///< of tensor cores, on top of flops; a product of matrices counts a multiply-add as two
    std::int64_t barriers = 0;  ///< __syncthreads of all blocks
    double activeLanes = 0;     ///< mean lanes that take part in a traced instruction of a warp, 0..32
    std::int64_t branches =
        0;  ///< of warps, at the end of a basic block from which its block of threads went several ways
    std::int64_t divergentBranches = 0;
    std::int64_t compulsoryBytes = 0;  ///< different bytes read from and written to global memory
    double inputReuse = 0;             ///< mean loads of an element of the input that is loaded at all
    std::int64_t inputReuseMost = 0;   ///< of one element, in the traced blocks
    double operationsPerByte = 0;  ///< flops and matrix operations over the bytes that threads load from global memory,
                                   ///< those through a texture included
    std::vector<KernelCounters> kernels;
    std::vector<CounterLine> lines;
    std::vector<BranchLine> branchLines;  ///< all conditional jumps, those that never part a warp as well
    std::vector<TraceFinding> findings;

    bool operator==(const Counters&) const = default;
};

inline const char* nameOf(Space space) {
    switch (space) {
        case Space::global: return "global";
        case Space::shared: return "shared";
        case Space::constant: return "constant";
        case Space::texture: return "texture";
    }
    return "";
}

inline const char* nameOf(Operation operation) {
    return operation == Operation::load ? "load" : operation == Operation::store ? "store" : "atomic";
}

}  // namespace warplens::gpu
