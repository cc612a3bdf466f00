// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/line_heat.hpp"
#include "gui/why/why_model.hpp"

#include <QObject>
#include <QPoint>
#include <algorithm>
#include <vector>

namespace warplens::gui {

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
