// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace warplens::gpu {

/// Whose code each device has loaded in this process, so that the pictures of a batch are launched once each. Of a
/// device the last row is remembered. Thread-safe.
class LoadedCode {
public:
    /// What tells which code a row's launches load: those of the same task load the same.
    struct Row {
        std::string device;
        std::string family;
        ParameterValues parameters;
        io::Shape shape;
        io::PixelType type;
        std::string variant;
        TunableValues tunables;
        bool operator==(const Row&) const = default;
    };

    bool has(const Row& row) const {
        const std::lock_guard lock(m_mutex);
        const auto last = m_last.find(row.device);
        return last != m_last.end() && last->second == row;
    }
    void add(const Row& row) {
        const std::lock_guard lock(m_mutex);
        m_last.insert_or_assign(row.device, row);
    }
    /// The device broke: what it had is gone.
    void forget(const std::string& device) {
        const std::lock_guard lock(m_mutex);
        m_last.erase(device);
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, Row> m_last;
};

/// Whether a row's code is loaded, asked when its turn on the device has come.
class CodeOfRow {
public:
    CodeOfRow(LoadedCode& all, LoadedCode::Row row) : m_all(all), m_row(std::move(row)) {}
    bool loaded() const { return m_all.has(m_row); }
    void load() { m_all.add(m_row); }

private:
    LoadedCode& m_all;
    LoadedCode::Row m_row;
};

}  // namespace warplens::gpu
