// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_cache.hpp"

#include "gpu/core/fnv.hpp"
#include "io/atomic_file.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace warplens::gpu::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "warplens kernel 1\n";
constexpr const char* kExtension = ".kernel";

void append(std::string& file, std::string_view text) {
    const std::uint64_t length = text.size();
    char bytes[sizeof length];
    std::memcpy(bytes, &length, sizeof length);
    file.append(bytes, sizeof bytes);
    file.append(text);
}

/// Takes texts off the front; fails for good where there are not as many bytes as it says.
class Reader {
public:
    explicit Reader(std::string_view rest) : m_rest(rest) {}

    std::string_view next() {
        std::uint64_t length = 0;
        if (m_rest.size() < sizeof length) return fail();
        std::memcpy(&length, m_rest.data(), sizeof length);
        m_rest.remove_prefix(sizeof length);
        if (length > m_rest.size()) return fail();
        const std::string_view text = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        return text;
    }
    bool whole() const { return m_good && m_rest.empty(); }
    bool good() const { return m_good; }
    bool empty() const { return m_rest.empty(); }

private:
    std::string_view fail() {
        m_good = false;
        m_rest = {};
        return {};
    }
    std::string_view m_rest;
    bool m_good = true;
};

std::string checksum(std::string_view text) {
    const std::uint64_t hash = fnv1a(text);
    std::string bytes(sizeof hash, '\0');
    std::memcpy(bytes.data(), &hash, sizeof hash);
    return bytes;
}

std::string toFile(const std::string& key, const CompiledKernel& kernel) {
    std::string file(kMagic);
    append(file, key);
    append(file, kernel.function);
    append(file, std::to_string(kernel.compileMs));
    append(file, kernel.cubin);
    for (const std::string& name : kernel.constants) append(file, name);
    return file + checksum(file);
}

std::optional<CompiledKernel> fromFile(std::string_view file, const std::string& key) {
    if (file.size() < kMagic.size() + sizeof(std::uint64_t) || !file.starts_with(kMagic)) return std::nullopt;
    const std::string_view summed = file.substr(0, file.size() - sizeof(std::uint64_t));
    if (checksum(summed) != file.substr(summed.size())) return std::nullopt;
    Reader reader(summed.substr(kMagic.size()));
    if (reader.next() != key) return std::nullopt;
    CompiledKernel kernel;
    kernel.function = reader.next();
    kernel.compileMs = std::strtod(std::string(reader.next()).c_str(), nullptr);
    kernel.cubin = reader.next();
    while (reader.good() && !reader.empty()) kernel.constants.emplace_back(reader.next());
    if (!reader.whole() || kernel.cubin.empty()) return std::nullopt;
    return kernel;
}

}  // namespace

fs::path kernelCacheFolder() {
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return fs::path(folder) / "warplens" / "kernels";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "warplens" / "kernels";
    return {};
}

fs::path KernelCache::fileOf(const std::string& key) const {
    char name[40];
    // Two different numbers of one key, so that two keys hardly ever share a file; where they do, the file says whose
    // it is.
    std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(fnv1a(key)),
                  static_cast<unsigned long long>(fnv1a("again " + key)));
    return m_folder / (name + std::string(kExtension));
}

std::optional<CompiledKernel> KernelCache::find(const std::string& key) const {
    std::error_code failed;
    if (m_folder.empty()) return std::nullopt;
    const fs::path file = fileOf(key);
    if (!fs::is_regular_file(file, failed)) return std::nullopt;
    std::optional<CompiledKernel> kernel;
    try {
        kernel = fromFile(io::readText(file.string()), key);
    } catch (const std::runtime_error&) {  // gone meanwhile, or not to be read
        return std::nullopt;
    }
    if (kernel)
        fs::last_write_time(file, fs::file_time_type::clock::now(), failed);
    else
        fs::remove(file, failed);
    return kernel;
}

void KernelCache::keep(const std::string& key, const CompiledKernel& kernel) const {
    if (m_folder.empty()) return;
    std::error_code failed;
    if (fs::create_directories(m_folder, failed)) fs::permissions(m_folder, fs::perms::owner_all, failed);
    const std::string text = toFile(key, kernel);
    if (text.size() > m_mostBytes) return;
    try {
        io::AtomicFile file(fileOf(key));
        file.write(std::as_bytes(std::span(text)));
        file.commit();
    } catch (const std::runtime_error&) {  // a full disk, a folder that may not be written to
        return;
    }
    prune();
}

void KernelCache::prune() const {
    struct Kept {
        fs::path path;
        std::uintmax_t bytes;
        fs::file_time_type used;
    };
    std::vector<Kept> all;
    std::uintmax_t total = 0;
    std::error_code failed;
    for (fs::directory_iterator at(m_folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        if (at->path().extension() != kExtension) continue;
        std::error_code gone;
        const std::uintmax_t bytes = at->file_size(gone);
        const fs::file_time_type used = at->last_write_time(gone);
        if (gone) continue;  // another process was quicker
        all.push_back({at->path(), bytes, used});
        total += bytes;
    }
    std::ranges::sort(all, {}, &Kept::used);
    for (const Kept& kept : all) {
        if (total <= m_mostBytes) return;
        fs::remove(kept.path, failed);
        total -= kept.bytes;
    }
}

}  // namespace warplens::gpu::cuda
