// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/warp_trace.hpp"
#include "gui/why/line_heat.hpp"
#include "gui/why/why_model.hpp"

#include <QObject>
#include <QPoint>
#include <QString>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// A unit of memory that a request touches, and what of it.
struct TouchedUnit {
    std::int64_t number = 0;                  ///< of the sector or address; of a shared access the bank
    int bytes = 0;                            ///< different bytes asked for
    int words = 0;                            ///< different 4-byte words: of a bank, each takes a pass
    std::vector<int> lanes;                   ///< that touch it, ascending
    std::vector<std::pair<int, int>> pieces;  ///< first byte and length within the unit, a lane each as in `lanes`
};

enum class UnitKind { sectors, banks, words };
/// What a request is shown by: global memory by sectors, shared memory by banks, constant memory and atomics by
/// addresses.
UnitKind unitKind(const gpu::WarpSite& site);
constexpr int kSectorBytes = 32, kWordBytes = 4, kBanks = 32;

/// Units that the request touches, ascending.
std::vector<TouchedUnit> touchedUnits(const gpu::WarpRequest& request, const gpu::WarpSite& site);

/// What stands below one warp: a figure, and why it is what it is.
struct WarpText {
    QString figure;  ///< "5 sectors"
    QString reason;  ///< "where 4 would do: the row starts 8 bytes into a sector."
    QString share;   ///< "128 of 160 bytes are used, 80 %."; may be empty
};
WarpText warpText(const gpu::WarpRequest& request, const gpu::WarpSite& site);

/// One warp of the current variant: that of a pixel, at a line of the source, request by request.
class WarpModel : public QObject {
    Q_OBJECT
public:
    explicit WarpModel(WhyModel& why, QObject* parent = nullptr);

    /// The page is shown: a warp is replayed as soon as there is something to ask.
    void setActive(bool active);
    /// Takes the warp of another pixel.
    void pick(QPoint pixel, int slice);
    /// Shows the requests that a line of the file shown makes; 0: the one with the most sectors.
    void chooseLine(int line);
    int line() const { return m_line; }
    /// The files in which the current variant accesses memory, its own first; empty before it is counted.
    const std::vector<std::string>& files() const { return m_files; }
    /// The one whose lines are shown.
    const std::string& file() const { return m_file; }
    /// Takes one of files().
    void setFile(const std::string& file);
    /// The accesses by line of the file shown; empty before they are counted.
    const std::map<int, LineCounts>& lines() const { return m_lines; }
    QPoint pixel() const { return m_pixel; }
    int slice() const { return m_slice; }

    /// Null while it is being replayed, or when there is none: problem() says why.
    const gpu::WarpTrace* trace() const { return m_trace.value(); }
    const QString& problem() const { return m_trace.problem(); }
    /// The request shown; null: the warp makes none at this line.
    const gpu::WarpRequest* request() const;
    const gpu::WarpSite* site() const;
    /// Its number among those of the line, from 0, and how many they are.
    int position() const { return std::max(0, m_position); }
    int requests() const { return static_cast<int>(m_here.size()); }
    void step(int by);
    bool busy() const { return m_trace.busy(); }
    /// Sum over the line's requests.
    gpu::AccessCount sum() const;
    /// Pixels of the picture, in the slice given, that the shown request touches; empty unless it touches the picture.
    std::vector<QPoint> pixelsTouched(int slice) const;

signals:
    /// Trace, line or request.
    void changed();
    /// File or line.
    void lineChanged();

private:
    void recount();
    void ask(const std::string& kernel);
    void takeTrace();
    /// The line with the most sectors of those at which the present warp asks for something.
    void chooseLineOfWarp();
    void gather();

    WhyModel& m_why;
    bool m_active = false;
    std::map<int, LineCounts> m_lines;
    std::vector<std::string> m_files;
    std::string m_file;
    std::string m_variant;
    QPoint m_pixel;
    int m_slice = 0;
    bool m_picked = false;
    int m_line = 0;
    bool m_guessed = false;  ///< nobody has chosen the line
    std::vector<std::size_t> m_here;
    int m_position = -1;  ///< -1: to be chosen
    struct Of {
        std::string variant, kernel;  ///< no kernel: the first
        QPoint pixel;
        int slice = 0;
        bool operator==(const Of&) const = default;
    };
    static constexpr std::size_t kKept = 8;
    Derived<Of, gpu::WarpTrace> m_trace{[this] { takeTrace(); }, kKept};
};

}  // namespace warplens::gui
