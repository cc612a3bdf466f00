// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/user/listing.hpp"

#include <QTableView>

namespace warplens::gui {

class ListingModel;

/// What the compiler made of a kernel, a row an instruction: its address, what it does, its source line and, where that
/// is told, the registers alive. The instructions of one line are marked.
class ListingTable : public QTableView {
    Q_OBJECT
public:
    explicit ListingTable(QWidget* parent = nullptr);
    /// Copied; null: none. Whether it is another than before.
    bool setListing(const gpu::user::Listing* listing);
    /// Marks the instructions of a source line, from 1, and scrolls to the first unless one was just chosen here.
    void markLine(int line);

    /// 10 x major + minor, of which GPU a kernel is listed: the device's own, or 9.0 where it is none.
    static int capability(const gpu::DeviceInfo* device);
    /// Figures of a whole kernel as lines of HTML, beside those of another where there is one. Null: none.
    static QString figures(const gpu::user::Listing* then, const gpu::user::Listing* now);
    /// Who made it, or why there is no SASS.
    static QString origin(const gpu::user::Listings& all, bool sass);

signals:
    /// An instruction of this source line became current.
    void lineChosen(int line);

private:
    ListingModel* m_model;
    bool m_choosing = false;
};

}  // namespace warplens::gui
