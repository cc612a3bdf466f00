// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gpu/core/variant.hpp"
#include "gui/kit/plot/plot_view.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_content.hpp"

#include <QPoint>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class QToolButton;

namespace warplens::gui {

class ElidedLabel;

/// A line from the centre of one pixel to that of another. It has a pixel a step along its longer side, both ends among
/// them, so that every value read along it is one that is stored.
struct ProfileLine {
    QPoint from, to;

    bool operator==(const ProfileLine&) const = default;
    std::size_t size() const;
    /// `i` below size().
    QPoint at(std::size_t i) const;
    /// From the beginning, in pixels.
    double distance(std::size_t i) const;
    /// Its length where `picture`, which may be null, says how large a pixel is, and its angle to the x axis, counter-
    /// clockwise: "18.03 µm, 33.7°". A line of one pixel has neither.
    QString measured(const io::Grid* picture) const;
};

/// The stored values of one channel of a pane's picture along a line; NaN outside the picture.
struct ProfileCurve {
    std::string id{};                 ///< for scripts: the pane's key, or the channel: "naive", "red"
    QString name{};                   ///< for people
    std::optional<gpu::Idea> idea{};  ///< of a result of one channel
    bool current = false;             ///< of the current pane
    std::vector<double> values{};
};

/// Panes of one channel that can be compared, one curve each; the current pane alone where it has several channels or a
/// range of its own, a curve a channel, alpha left out. Empty where no picture is.
std::vector<ProfileCurve> profilesOf(const std::vector<PaneContent>& panes, int current, const ProfileLine& line,
                                     int slice);

/// Distance, position, and a column a curve.
gpu::Table profileTable(const ProfileLine& line, const std::vector<ProfileCurve>& curves);

/// The line over a picture, its beginning marked.
class LineOverlay : public ImageOverlay {
public:
    /// None: nothing is drawn.
    void setLine(const std::optional<ProfileLine>& line) { m_line = line; }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    std::optional<ProfileLine> m_line;
};

/// Values along a line, a curve a picture or a channel, named below. A pixel of
/// it can be chosen.
class ProfileChart : public PlotView {
    Q_OBJECT
public:
    explicit ProfileChart(QWidget* parent = nullptr);
    void setProfile(const ProfileLine& line, std::vector<ProfileCurve> curves);
    /// Which pixel of the line is marked; none: no mark.
    void setAt(std::optional<std::size_t> at) { setChosen(at ? static_cast<int>(*at) : -1); }
    std::optional<std::size_t> at() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

private:
    QString textOf(int pixel) const;

    ProfileLine m_line;
    std::vector<ProfileCurve> m_curves;
};

/// Beside the panes: the values along a line, as a chart, and as a table to copy or export.
class ProfilePanel : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePanel(QWidget* parent = nullptr);
    /// No line: it says how to draw one.
    /// `picture`: whose pixel size makes it a length; null: there is none.
    void setProfile(const std::optional<ProfileLine>& line, std::vector<ProfileCurve> curves,
                    const io::Grid* picture = nullptr);
    /// The pixel pointed at: marked in the chart where it is one of the line's.
    void setCursor(const std::optional<QPoint>& pixel);
    const std::vector<ProfileCurve>& curves() const { return m_curves; }

signals:
    void pixelChosen(QPoint pixel);
    /// What was written.
    void exported(const QString& what);
    void failed(const QString& why);

private:
    void copy();
    void exportCsv();

    std::optional<ProfileLine> m_line;
    std::vector<ProfileCurve> m_curves;
    ElidedLabel* m_said;
    ProfileChart* m_chart;
    QToolButton *m_csv, *m_copy;
};

}  // namespace warplens::gui
