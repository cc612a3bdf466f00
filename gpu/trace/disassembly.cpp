// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/disassembly.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <capstone/capstone.h>
#include <string_view>

namespace warplens::gpu::trace {
namespace {

/// Of "vfmadd231ss", "mulsd", "vaddps": 0 for everything else. Packed forms count one an element of 128 bits.
int operationsOf(std::string_view mnemonic) {
    if (mnemonic.starts_with('v')) mnemonic.remove_prefix(1);
    int each = 0;
    if (mnemonic.starts_with("fmadd") || mnemonic.starts_with("fmsub") || mnemonic.starts_with("fnmadd") ||
        mnemonic.starts_with("fnmsub")) {
        each = 2;
    } else {
        for (const std::string_view name : {"add", "sub", "mul", "div", "sqrt"}) {
            if (mnemonic.size() == name.size() + 2 && mnemonic.starts_with(name)) each = 1;
        }
    }
    if (mnemonic.ends_with("ss") || mnemonic.ends_with("sd")) return each;
    if (mnemonic.ends_with("ps")) return 4 * each;
    if (mnemonic.ends_with("pd")) return 2 * each;
    return 0;
}

/// Whether it goes on in more than one place: a conditional jump, or one through a table.
bool branches(const cs_insn& instruction) {
    const auto& x86 = instruction.detail->x86;
    const auto* const groups = instruction.detail->groups;
    const bool jump = std::find(groups, groups + instruction.detail->groups_count, CS_GRP_JUMP) !=
                      groups + instruction.detail->groups_count;
    return jump && (instruction.id != X86_INS_JMP || (x86.op_count == 1 && x86.operands[0].type != X86_OP_IMM));
}

}  // namespace

std::unordered_map<std::uint32_t, BlockCode> codeOfBlocks(const ProgramImage::Symbol& function) {
    csh decoder = 0;
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder) != CS_ERR_OK) {
        throw Error(Error::Kind::internal, "trace: the disassembler does not start: reinstall capstone");
    }
    cs_option(decoder, CS_OPT_DETAIL, CS_OPT_ON);
    std::unordered_map<std::uint32_t, BlockCode> blocks;
    const ProgramImage& image = ProgramImage::traced();
    const auto* hook = image.functionNamed("__sanitizer_cov_trace_pc");
    const auto* code = reinterpret_cast<const std::uint8_t*>(function.address);
    std::size_t left = function.size;
    std::uint64_t address = function.address;
    std::uint32_t block = 0;
    cs_insn* instruction = cs_malloc(decoder);
    while (cs_disasm_iter(decoder, &code, &left, &address, instruction)) {
        const auto& x86 = instruction->detail->x86;
        if (instruction->id == X86_INS_CALL && x86.op_count == 1 && x86.operands[0].type == X86_OP_IMM &&
            hook != nullptr && static_cast<std::uint64_t>(x86.operands[0].imm) == hook->address) {
            block = image.placeOf(address);
        } else if (const int count = operationsOf(instruction->mnemonic); count > 0) {
            blocks[block].operations += count;
        } else if (branches(*instruction)) {
            // Of several, as a comparison of floats needs, the last ends the block.
            blocks[block].branch = image.placeOf(instruction->address);
        }
    }
    cs_free(instruction, 1);
    cs_close(&decoder);
    return blocks;
}

}  // namespace warplens::gpu::trace
