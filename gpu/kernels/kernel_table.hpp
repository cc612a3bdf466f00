// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/kernels/builds.hpp"
#include "gpu/kernels/entry_override.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// Of families whose library rows are told apart by their problems.
struct NoLibraryEntry {};

/// A family's ladder, behind each of its kernels what the kernel's file offers in each build, and behind each library
/// row what the library's file offers. kernel_table.inc makes one of a family's variants.inc.
template <class Entry, class LibraryEntry = NoLibraryEntry>
class KernelTable {
public:
    using Library = LibraryEntry;

    /// `rows`: the path of variants.inc, beside which the folder kernels lies.
    explicit KernelTable(const std::string& rows) : m_folder(rows.substr(0, rows.rfind('/') + 1)) {}

    void add(Variant library, const Library& entry = {}) {
        library.kind = Variant::Kind::library;
        m_libraries.emplace(library.id, entry);
        m_variants.push_back(std::move(library));
    }
    /// The row names its source below the family's folder.
    void addPortable(Variant row) {
        row.kind = Variant::Kind::portable;
        row.source = m_folder + row.source;
        m_variants.push_back(std::move(row));
    }
    void add(Variant kernel, const Builds<Entry>& builds) {
        kernel.devices = builds.cuda ? Variant::Devices::both : Variant::Devices::cpu;
        kernel.source = m_folder + "kernels/" + kernel.id + ".cuh";
        m_entries.emplace(kernel.id, builds);
        m_variants.push_back(std::move(kernel));
    }

    /// The rows of variants.inc.
    const std::vector<Variant>& variants() const { return m_variants; }
    /// The kernel as built for a device; null for a library or a portable row, and when there is no such build.
    const Entry* entryOf(const Variant& variant, const DeviceInfo& device) const {
        if (const void* own = overridingEntry(m_folder, variant.id)) return static_cast<const Entry*>(own);
        const auto found = m_entries.find(variant.id);
        return found == m_entries.end() ? nullptr : found->second.of(device);
    }
    /// Null for what is not a library row.
    const Library* libraryOf(const Variant& variant) const {
        const auto found = m_libraries.find(variant.id);
        return found == m_libraries.end() ? nullptr : &found->second;
    }
    /// What every build says alike of a kernel: what it takes, what a block covers.
    const Entry& anyBuildOf(const Variant& kernel) const {
        if (const void* own = overridingEntry(m_folder, kernel.id)) return *static_cast<const Entry*>(own);
        return m_entries.at(kernel.id).simt;
    }

private:
    std::string m_folder;
    std::vector<Variant> m_variants;
    std::map<std::string, Builds<Entry>> m_entries;
    std::map<std::string, Library> m_libraries;
};

}  // namespace warplens::gpu
