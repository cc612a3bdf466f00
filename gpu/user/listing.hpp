// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "gpu/core/parameter.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/user/difference.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::user {

/// What an instruction of a GPU does, as far as a listing marks it. Local memory holds spilled registers and arrays of
/// a thread's own.
enum class InstructionKind {
    other,
    globalLoad,
    globalStore,
    sharedLoad,
    sharedStore,
    constantLoad,
    localLoad,
    localStore,
    atomic,
    fma,
    branch,
    barrier
};
inline constexpr std::size_t kInstructionKinds = 12;

/// "global load", and "global_load" in JSON.
const char* nameOf(InstructionKind kind);
std::string keyOf(InstructionKind kind);

struct Instruction {
    std::string at{};  ///< its address as the disassembler writes it, "0b30"; of PTX its line in the text
    std::string text{};
    InstructionKind kind = InstructionKind::other;
    int line = 0;    ///< of the user's file; 0: none
    int alive = -1;  ///< general registers that hold a value there; -1: not told

    bool operator==(const Instruction&) const = default;
};

/// The instructions of one kernel, in order.
struct Listing {
    std::vector<Instruction> instructions{};

    bool empty() const { return instructions.empty(); }
    /// By InstructionKind.
    std::array<int, kInstructionKinds> counts() const;
    int count(InstructionKind kind) const { return counts()[static_cast<std::size_t>(kind)]; }
    /// The same of each source line that has instructions.
    std::map<int, std::array<int, kInstructionKinds>> countsByLine() const;
    /// Places of the instructions of a line of the source.
    std::vector<std::size_t> ofLine(int line) const;
    /// The most registers alive at once; -1: not told.
    int mostAlive() const;
};

/// A number of a whole kernel, and of the one it is compared with.
struct ListingFigure {
    std::string name{};  ///< "global load"
    int before = 0, now = 0;
};
/// Instructions, those of each kind, registers alive at most: what is not 0 in both. `before` may be empty.
std::vector<ListingFigure> figuresOf(const Listing& before, const Listing& now);

/// Instruction by instruction. Two are the same that do the same: in whichever registers, wherever they lie and jump.
std::vector<DifferenceRow> differenceOf(const Listing& before, const Listing& now);

/// An instruction of a GPU, "LDC R1, c[0x0][0x28]", with what it does.
Instruction sassInstruction(std::string at, std::string text, int line, int alive);
/// Reads what NVRTC wrote with line information; `file` is the source's name, `function` the kernel's in the code.
Listing parsePtx(const std::string& text, const std::string& file, const std::string& function);
/// Reads what nvdisasm wrote by -gi -c, and by -c -lrm count, where registers are told; that may be empty.
Listing parseSass(const std::string& text, const std::string& registers, const std::string& file,
                  const std::string& function);

/// What the compiler made of a kernel.
struct Listings {
    std::string kernel{};  ///< of a variant of ours the instance, "naive<float, 2>"
    Listing ptx{}, sass{};
    std::string compiler{}, disassembler{};  ///< "NVRTC 13.0", "nvdisasm 13.0"
    std::string whyNoSass{};                 ///< one sentence that says what to do; empty where there is SASS
    std::string shipped{};                   ///< of SASS that was not made here: a sentence on whose it is, and why
};

/// Of which task and GPU a listing is made.
struct ListingTask {
    std::string family{};
    ParameterValues parameters{};
    TunableValues tunables{};
    std::shared_ptr<const io::Grid> input{};
    int capability = 0;  ///< 10 x major + minor

    bool operator==(const ListingTask&) const = default;
};

/// Lists a text, which `path` names. Throws gpu::Error; of a text that does not compile a CompileError.
using ListingMaker =
    std::function<Listings(const std::string& path, const std::string& text, const ListingTask&, std::stop_token)>;

/// Lists the first of these instances, as in "naive<float, 2>", that the own file of a variant of ours has.
/// `capability`: 10 x major + minor. Throws CompileError where it has none of them, and Error(unsupported) for a
/// library and where nothing compiles, with one sentence that says what to install.
using VariantListingMaker =
    std::function<Listings(const Variant&, const std::vector<std::string>& kernels, int capability, std::stop_token)>;
/// The instances that a counted run of the variant has launched, for such a maker: first those of the variant's own
/// name, then those of most blocks.
std::vector<std::string> launchedKernels(const Variant& variant, const Counters& counters);

}  // namespace warplens::gpu::user
