// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/user/listing.hpp"
#include "gui/kit/derived.hpp"

#include <QTableWidget>
#include <string>
#include <vector>

class QLabel;

namespace warplens::gui {

/// What the compiler made of a kernel, a row an instruction: its address, what it does, its source line and, where that
/// is told, the registers alive. The instructions of one line are marked. Or how two of them differ, in one column.
class ListingTable : public QTableWidget {
    Q_OBJECT
public:
    explicit ListingTable(QWidget* parent = nullptr);
    /// Copied; null: none. With `before` both in one: what stands in that alone has a minus sign, what it lacks a plus
    /// sign. Whether it is another than before.
    bool setListing(const gpu::user::Listing* listing, const gpu::user::Listing* before = nullptr);
    /// Marks the instructions of a source line, from 1, and scrolls to the first unless one was just chosen here.
    void markLine(int line);

signals:
    /// An instruction of this source line became current.
    void lineChosen(int line);

private:
    void fill();
    void tint(int row);

    struct Row {
        gpu::user::Instruction shown;
        QString sign{};
        int line = 0;  ///< of the listing, not of the one before
        bool operator==(const Row&) const = default;
    };
    std::vector<Row> m_rows;
    int m_line = 0;
    bool m_choosing = false;
};

/// The listings of a kernel and of one that it is compared with, found on another thread, and what panels show of them.
struct ListingPair {
    struct Key {
        std::string source;             ///< a file
        std::vector<std::string> what;  ///< its text, or the instances of a variant
        gpu::user::ListingTask task;
        bool operator==(const Key&) const = default;
    };
    using Listed = Derived<Key, gpu::user::Listings>;

    explicit ListingPair(const std::function<void()>& changed) : now(changed, kKept), before(changed, kKept) {}
    bool busy() const { return now.busy() || before.busy(); }
    /// Null: none, or an empty one.
    const gpu::user::Listing* of(const Listed& listed) const;
    /// In the tables, the second where there is one, or as a difference in the first, and the figures of the whole
    /// kernels as HTML. Whether the first table has another listing than before.
    bool show(ListingTable* nowTable, ListingTable* beforeTable, QLabel* figures) const;
    /// Who made it, why there is none, or that it is on its way.
    QString said() const;
    /// 10 x major + minor, of which GPU a kernel is listed: the device's own, or 9.0 where it is none.
    static int capability(const gpu::DeviceInfo* device);

    static constexpr std::size_t kKept = 16;
    bool sass = false, difference = false;
    Listed now, before;
};

}  // namespace warplens::gui
