// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// Things that are kept for later, at most so many beside those in use: what was not asked for for longest goes first.
/// Not thread-safe.
template <class T>
class LruCache {
public:
    explicit LruCache(std::size_t most) : m_most(most) {}

    /// The first that `is` says yes to; null where there is none.
    template <class Is>
    T* find(Is is) const {
        const auto at = std::ranges::find_if(m_all, [&](const auto& one) { return is(*one); });
        return at != m_all.end() ? at->get() : nullptr;
    }
    /// As find(); it goes last then.
    template <class Is>
    T* use(Is is) {
        const auto at = std::ranges::find_if(m_all, [&](const auto& one) { return is(*one); });
        if (at == m_all.end()) return nullptr;
        std::rotate(at, at + 1, m_all.end());
        return m_all.back().get();
    }
    T& add(T one) {
        m_all.push_back(std::make_unique<T>(std::move(one)));
        return *m_all.back();
    }
    /// Drops those beyond the bound that `inUse` says no to, the least recently used first; `dropping` hears of the
    /// first of them before it goes.
    template <class InUse, class Dropping>
    void trim(InUse inUse, Dropping dropping) {
        bool told = false;
        for (auto at = m_all.begin(); at != m_all.end() && m_all.size() > m_most;) {
            if (inUse(**at)) {
                ++at;
                continue;
            }
            if (!std::exchange(told, true)) dropping();
            at = m_all.erase(at);
        }
    }
    std::size_t size() const { return m_all.size(); }

private:
    std::size_t m_most;
    std::vector<std::unique_ptr<T>> m_all;  ///< the latest last
};

}  // namespace warplens::gpu
