// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "gui/session/mask.hpp"

#include <QObject>
#include <QPolygonF>
#include <QRectF>
#include <array>
#include <optional>
#include <string>

class QKeyEvent;

namespace warplens::gui {

class RunControl;

enum class RegionTool { wand, brush, eraser, polygon };
inline constexpr std::array kRegionTools{RegionTool::wand, RegionTool::brush, RegionTool::eraser, RegionTool::polygon};
QString nameOf(RegionTool tool);  ///< "Brush"
Qt::Key keyOf(RegionTool tool);

/// Which tool paints the mask, how large it is, and what it does where it is put down. No tool while it is not on.
class RegionTools : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostSize = 1000;

    RegionTools(RequestState& request, Mask& mask, RunControl& control, Activity& activity, QObject* parent = nullptr);

    bool on() const { return m_on; }
    void setOn(bool on);
    RegionTool tool() const { return m_tool; }
    void setTool(RegionTool tool);
    /// The diameter of brush and eraser, pixels of the picture.
    int size() const { return m_size; }
    void setSize(int size);
    /// A step of the brush's size: about a quarter.
    void grow(bool larger);
    /// How far values may be from the pixel that the wand was put on. The last wand's region follows it. Of a family
    /// that grows regions it is the parameter.
    double tolerance() const;
    void setTolerance(double tolerance);
    /// Whether the picture's values are whole numbers.
    bool wholeValues() const;
    /// A region that was chosen in a table: outlined, with or without a tool.
    void mark(const QRectF& box, int slice);
    const QRectF& marked() const { return m_marked; }
    int markedSlice() const { return m_markedSlice; }
    Mask& mask() const { return m_mask; }

    /// At a position of the picture, in slice `z`; with `add` the wand's region or seed is one more.
    void press(QPointF at, int z, bool add);
    void drag(QPointF to);
    void release();
    /// Ends the polygon under way, or throws it away.
    void closePolygon();
    void dropPolygon();
    const QPolygonF& corners() const { return m_corners; }
    /// Which slice they lie in.
    int slice() const { return m_slice; }
    /// Whether a key is one of the tools'; does what it stands for, unless only asked.
    bool key(const QKeyEvent& event, bool onlyAsked);
    /// Hears those keys of what it is installed on, before any command that has the same.
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool busy() const { return m_jobs.busy(); }
    /// Whether the family at hand works on a rectangle.
    bool takesRegion() const { return m_request.parameters().findRole(gpu::Parameter::Role::box) != nullptr; }
    /// Gives it the least one that holds what is painted in slice `z`.
    void giveBounds(int z);

signals:
    /// On or off, the tool, its size or tolerance, the corners.
    void changed();
    /// The wand was put on a pixel of slice `z`.
    void put(QPoint pixel, int z);

private:
    /// Whether the family at hand grows regions itself, from seeds.
    bool grows() const;
    void cast();
    void seed(QPoint pixel, bool add);
    /// "x,y", in volumes "x,y,z".
    std::string placeOf(QPoint pixel, int slice) const;

    RequestState& m_request;
    Mask& m_mask;
    RunControl& m_control;
    Activity& m_activity;
    bool m_on = false, m_stroke = false;
    RegionTool m_tool = RegionTool::brush;
    int m_size = 24, m_slice = 0;
    double m_tolerance = 16;
    QPointF m_at;
    QPolygonF m_corners;
    QRectF m_marked;
    int m_markedSlice = 0;
    /// What the wand did last: it can be done again with another tolerance.
    struct Cast {
        QPoint pixel;
        int slice = 0;
        bool add = false;
        int revision = -1;  ///< of the mask when it was done; another means that something was painted since
    };
    std::optional<Cast> m_cast;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
