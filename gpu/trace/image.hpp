// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::trace {

/// The running program's own symbol table: which kernel lies where, which shared arrays and constants there are, and
/// how large they are.
class ProgramImage {
public:
    struct Symbol {
        std::uint64_t address = 0;  ///< absolute; of a thread-local the offset in the thread-local block
        std::uint64_t size = 0;
        std::string name;  ///< mangled
    };

    /// Throws Error(unsupported) when the program was stripped of its symbols.
    static const ProgramImage& self();

    const std::vector<Symbol>& threadLocals() const { return m_threadLocals; }
    /// Bytes of a thread's block of thread-locals, and where it begins for the calling thread.
    std::uint64_t threadLocalBytes() const { return m_threadLocalBytes; }
    std::uint64_t threadLocalBegin() const;

    /// The function or object that holds the address, or null.
    const Symbol* functionAt(std::uint64_t address) const;
    const Symbol* objectAt(std::uint64_t address) const;
    const Symbol* functionNamed(const std::string& mangled) const;
    /// Whether the address lies in the program's data that can be written, and anywhere in the program.
    bool inData(std::uint64_t address) const { return address - m_dataBegin < m_dataEnd - m_dataBegin; }
    bool contains(std::uint64_t address) const { return address - m_begin < m_end - m_begin; }

private:
    ProgramImage();
    void readHeaders(const char* file, std::uint64_t bytes);

    std::vector<Symbol> m_functions, m_objects, m_threadLocals;  ///< by address
    std::uint64_t m_begin = ~0ULL, m_end = 0, m_dataBegin = ~0ULL, m_dataEnd = 0;
    std::uint64_t m_threadLocalBytes = 0, m_builtinsOffset = 0;
};

/// "naive<float, 2>" of a kernel's mangled name: no return type, arguments or namespaces.
std::string kernelName(const std::string& mangled);

}  // namespace warplens::gpu::trace
