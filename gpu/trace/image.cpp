// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/image.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/simt/builtins.hpp"
#include "gpu/trace/places.hpp"
#include "gpu/trace/record_access.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warplens::gpu::trace {
namespace {

constexpr const char* kBuiltins = "_ZN8warplens3gpu4simt8builtinsE";

const ProgramImage::Symbol* holder(const std::vector<ProgramImage::Symbol>& symbols, std::uint64_t address) {
    auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                  [](std::uint64_t a, const ProgramImage::Symbol& s) { return a < s.address; });
    if (after == symbols.begin()) return nullptr;
    --after;
    return address - after->address < after->size ? &*after : nullptr;
}

/// A file, mapped for reading.
class File {
public:
    explicit File(const char* name) {
        const int fd = ::open(name, O_RDONLY | O_CLOEXEC);
        struct stat status {};
        if (fd >= 0 && ::fstat(fd, &status) == 0) {
            m_bytes = static_cast<std::size_t>(status.st_size);
            m_data = ::mmap(nullptr, m_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        }
        if (fd >= 0) ::close(fd);
        if (m_data == MAP_FAILED || m_data == nullptr) {
            throw Error(Error::Kind::unsupported, "the trace cannot read its own program: mount /proc");
        }
    }
    ~File() { ::munmap(m_data, m_bytes); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    const char* data() const { return static_cast<const char*>(m_data); }

private:
    void* m_data = MAP_FAILED;
    std::size_t m_bytes = 0;
};

template <class T>
const T* at(const char* file, std::uint64_t offset) {
    return reinterpret_cast<const T*>(file + offset);
}

}  // namespace

void ProgramImage::readHeaders(const char* file) {
    const auto& header = *at<Elf64_Ehdr>(file, 0);
    for (int i = 0; i < header.e_phnum; ++i) {
        const auto& part = at<Elf64_Phdr>(file, header.e_phoff)[i];
        if (part.p_type == PT_TLS) m_threadLocalBytes = (part.p_memsz + part.p_align - 1) / part.p_align * part.p_align;
        if (part.p_type != PT_LOAD) continue;
        const auto begin = m_base + part.p_vaddr, end = begin + part.p_memsz;
        m_begin = std::min(m_begin, begin);
        m_end = std::max(m_end, end);
        if (part.p_flags & PF_W) {
            m_dataBegin = std::min(m_dataBegin, begin);
            m_dataEnd = std::max(m_dataEnd, end);
        }
    }
}

ProgramImage::ProgramImage(const char* name, std::uint64_t base, std::uint64_t module)
    : m_base(base), m_module(module) {
    const File opened(name);
    const char* file = opened.data();
    readHeaders(file);
    const auto& header = *at<Elf64_Ehdr>(file, 0);
    const auto* sections = at<Elf64_Shdr>(file, header.e_shoff);
    for (int i = 0; i < header.e_shnum; ++i) {
        const auto& table = sections[i];
        if (table.sh_type != SHT_SYMTAB) continue;
        const char* names = file + sections[table.sh_link].sh_offset;
        for (std::uint64_t k = 0; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
            const auto& entry = at<Elf64_Sym>(file, table.sh_offset)[k];
            if (entry.st_shndx == SHN_UNDEF || entry.st_size == 0) continue;
            const auto type = ELF64_ST_TYPE(entry.st_info);
            Symbol symbol{entry.st_value + (type == STT_TLS ? 0 : base), entry.st_size, names + entry.st_name};
            switch (type) {
                case STT_FUNC: m_functions.push_back(std::move(symbol)); break;
                case STT_OBJECT: m_objects.push_back(std::move(symbol)); break;
                case STT_TLS:
                    if (symbol.name == kBuiltins) m_builtinsOffset = symbol.address;
                    m_threadLocals.push_back(std::move(symbol));
                    break;
                default: break;
            }
        }
    }
    if (m_functions.empty() || (base == 0 && m_threadLocals.empty())) {
        throw Error(Error::Kind::unsupported,
                    "warplens-trace was stripped of its symbols, which it reads: install it unstripped");
    }
    for (auto* list : {&m_functions, &m_objects, &m_threadLocals}) {
        std::stable_sort(list->begin(), list->end(),
                         [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
    }
}

std::unique_ptr<const ProgramImage>& ProgramImage::current() {
    static std::unique_ptr<const ProgramImage> image;
    return image;
}

const ProgramImage& ProgramImage::traced() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (current() == nullptr) current().reset(new ProgramImage("/proc/self/exe", 0, 0));
    });
    return *current();
}

void ProgramImage::load(const std::string& file, std::uint64_t base, std::uint64_t module) {
    std::unique_ptr<ProgramImage> image(new ProgramImage(file.c_str(), base, module));
    image->m_file = file;
    codeBase = base;
    current() = std::move(image);
    symbolise(0);
}

struct TlsIndex {
    unsigned long module, offset;
};
extern "C" void* __tls_get_addr(TlsIndex*);

std::uint64_t ProgramImage::threadLocalBegin() const {
    if (m_base != 0) {
        TlsIndex index{m_module, 0};
        return m_module == 0 ? 0 : reinterpret_cast<std::uint64_t>(__tls_get_addr(&index));
    }
    return reinterpret_cast<std::uint64_t>(&simt::builtins) - m_builtinsOffset;
}

const ProgramImage::Symbol* ProgramImage::functionAt(std::uint64_t address) const {
    return holder(m_functions, address);
}

const ProgramImage::Symbol* ProgramImage::objectAt(std::uint64_t address) const { return holder(m_objects, address); }

const ProgramImage::Symbol* ProgramImage::functionNamed(const std::string& mangled) const {
    const auto found =
        std::find_if(m_functions.begin(), m_functions.end(), [&](const Symbol& s) { return s.name == mangled; });
    return found == m_functions.end() ? nullptr : &*found;
}

std::string kernelName(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    if (status != 0) return mangled;
    // "void a::b::(anonymous namespace)::name<T, (int)2>(arguments)": the last name before the arguments, outside
    // brackets.
    std::string name(text.get());
    for (const std::string cast : {"(int)", "(unsigned int)", "(anonymous namespace)::"}) {
        for (auto where = name.find(cast); where != std::string::npos; where = name.find(cast))
            name.erase(where, cast.size());
    }
    int depth = 0;
    std::size_t begin = 0, end = name.size();
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>') --depth;
        if (depth > 0) continue;
        if (name[i] == '(') {
            end = i;
            break;
        }
        if (name[i] == ' ' || name[i] == ':') begin = i + 1;
    }
    name = name.substr(begin, end - begin);
    // Enumerators of a template come as "(warplens::gpu::stencil::Pattern)2".
    for (auto where = name.find("warplens::"); where != std::string::npos; where = name.find("warplens::", where)) {
        auto last = where;
        while (last < name.size() &&
               (std::isalnum(static_cast<unsigned char>(name[last])) || name[last] == '_' || name[last] == ':'))
            ++last;
        const auto scope = name.rfind("::", last - 1);
        name.erase(where, scope + 2 - where);
    }
    return name;
}

}  // namespace warplens::gpu::trace
