// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::trace {

/// The symbol table of what holds the traced kernels, the running program or what it has loaded: which kernel lies
/// where, which shared arrays and constants there are, and how large they are.
class ProgramImage {
public:
    struct Symbol {
        std::uint64_t address = 0;  ///< absolute; of a thread-local the offset in the thread-local block
        std::uint64_t size = 0;
        std::string name;  ///< mangled
    };

    /// Of the running program, unless load() came first. Throws Error(unsupported) when it was stripped of its symbols.
    static const ProgramImage& traced();
    /// From now on that of a shared object which was loaded from `file` to `base`, as the module of this number among
    /// those with thread-locals (0: it has none). Reads all that is to be known of it later, lines too.
    static void load(const std::string& file, std::uint64_t base, std::uint64_t module);
    /// The file of a loaded one, or empty.
    const std::string& loadedFile() const { return m_file; }

    /// Where its addresses count from: a place in its code fits in 32 bits.
    std::uint64_t base() const { return m_base; }
    std::uint32_t placeOf(std::uint64_t address) const { return static_cast<std::uint32_t>(address - m_base); }

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
    ProgramImage(const char* file, std::uint64_t base, std::uint64_t module);
    void readHeaders(const char* file);
    static std::unique_ptr<const ProgramImage>& current();

    std::vector<Symbol> m_functions, m_objects, m_threadLocals;  ///< by address
    std::uint64_t m_begin = ~0ULL, m_end = 0, m_dataBegin = ~0ULL, m_dataEnd = 0;
    std::uint64_t m_threadLocalBytes = 0, m_builtinsOffset = 0;
    std::uint64_t m_base = 0, m_module = 0;
    std::string m_file;
};

/// "naive<float, 2>" of a kernel's mangled name: no return type, arguments or namespaces.
std::string kernelName(const std::string& mangled);

}  // namespace warplens::gpu::trace
