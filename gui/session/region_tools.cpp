// SPDX-License-Identifier: Apache-2.0
#include "gui/session/region_tools.hpp"

#include "gpu/run/service.hpp"
#include "gui/kit/activity.hpp"
#include "gui/session/run_control.hpp"

#include <QKeyEvent>
#include <QRect>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

// What a service takes, and what a family that grows regions is asked for in its form.
using enum gpu::Parameter::Role;

/// Those that the family at hand is asked for; null: not one of its questions, or all.
const std::string* neighboursOf(const ParameterState& parameters) {
    const auto* value = parameters.valueFor<std::string>(connectivity);
    return value == nullptr || *value == "all" ? nullptr : value;
}

}  // namespace

QString nameOf(RegionTool tool) {
    switch (tool) {
        case RegionTool::wand: return RegionTools::tr("Wand");
        case RegionTool::brush: return RegionTools::tr("Brush");
        case RegionTool::eraser: return RegionTools::tr("Eraser");
        case RegionTool::polygon: return RegionTools::tr("Polygon");
    }
    return {};
}

Qt::Key keyOf(RegionTool tool) {
    switch (tool) {
        case RegionTool::wand: return Qt::Key_W;
        case RegionTool::brush: return Qt::Key_B;
        case RegionTool::eraser: return Qt::Key_E;
        case RegionTool::polygon: return Qt::Key_P;
    }
    return Qt::Key_unknown;
}

RegionTools::RegionTools(RequestState& request, Mask& mask, RunControl& control, Activity& activity, QObject* parent)
    : QObject(parent), m_request(request), m_mask(mask), m_control(control), m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        const bool family = before.family != now.family, picture = !before.samePicture(now);
        if (picture) {
            m_jobs.discard();
            m_stroke = false;
            dropPolygon();
        }
        if (family || picture) mark({}, 0);
        if (family || !before.sameValue(now, valueTolerance)) emit changed();
    });
}

void RegionTools::setOn(bool on) {
    if (std::exchange(m_on, on) == on) return;
    if (!on) {
        release();
        m_corners.clear();
    }
    emit changed();
}

void RegionTools::setTool(RegionTool tool) {
    if (std::exchange(m_tool, tool) == tool) return;
    release();
    m_corners.clear();
    emit changed();
}

void RegionTools::setSize(int size) {
    size = std::clamp(size, 1, kMostSize);
    if (std::exchange(m_size, size) != size) emit changed();
}

void RegionTools::grow(bool larger) {
    const int step = std::max(1, m_size / 4);
    setSize(larger ? m_size + step : m_size - std::max(1, m_size / 5));
}

bool RegionTools::grows() const {
    const ParameterState& parameters = m_request.parameters();
    return parameters.findRole(seeds) != nullptr && parameters.findRole(valueTolerance) != nullptr;
}

double RegionTools::tolerance() const {
    if (!grows()) return m_tolerance;
    const auto* value = m_request.parameters().valueFor<double>(valueTolerance);
    return value == nullptr ? m_tolerance : *value;
}

bool RegionTools::wholeValues() const {
    const auto grid = m_request.document().grid();
    return grid == nullptr || grid->type() != io::PixelType::f32;
}

void RegionTools::setTolerance(double tolerance) {
    if (this->tolerance() == tolerance) return;
    m_tolerance = tolerance;
    if (grows()) {
        m_request.parameters().set(m_request.parameters().findRole(valueTolerance)->id, tolerance);
        return;
    }
    emit changed();
    if (m_cast && (m_jobs.busy() || m_cast->revision == m_mask.revision())) cast();
}

void RegionTools::mark(const QRectF& box, int slice) {
    if (box == m_marked && slice == m_markedSlice) return;
    m_marked = box;
    m_markedSlice = slice;
    emit changed();
}

void RegionTools::press(QPointF at, int z, bool add) {
    if (!m_on || m_request.document().empty()) return;
    m_slice = z;
    m_at = at;
    const QPoint pixel(static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y())));
    switch (m_tool) {
        case RegionTool::brush:
        case RegionTool::eraser:
            m_mask.begin(m_tool == RegionTool::brush ? tr("brush stroke") : tr("eraser stroke"),
                         m_tool == RegionTool::brush);
            m_stroke = true;
            return drag(at);
        case RegionTool::polygon: m_corners << at; return emit changed();
        case RegionTool::wand: {
            const io::Shape s = m_mask.shape();
            if (!QRect(0, 0, static_cast<int>(s.width), static_cast<int>(s.height)).contains(pixel)) return;
            emit put(pixel, z);
            if (m_request.parameters().findRole(seeds) != nullptr) return seed(pixel, add);
            m_cast = Cast{.pixel = pixel, .slice = z, .add = add};
            return cast();
        }
    }
}

void RegionTools::drag(QPointF to) {
    if (!m_stroke) return;
    m_mask.line(m_at, to, m_size / 2.0, m_slice);
    m_at = to;
}

void RegionTools::release() {
    if (std::exchange(m_stroke, false)) m_mask.end();
}

void RegionTools::closePolygon() {
    const QPolygonF corners = std::exchange(m_corners, {});
    emit changed();
    if (corners.size() < 3) return;
    m_mask.begin(tr("polygon"), true);
    m_mask.polygon(corners, m_slice);
    m_mask.end();
}

void RegionTools::dropPolygon() {
    if (!std::exchange(m_corners, {}).isEmpty()) emit changed();
}

void RegionTools::giveBounds(int z) {
    const QRect bounds = m_mask.bounds(z);
    if (bounds.isEmpty() || !takesRegion()) return;
    QString why;
    const QString text =
        QStringLiteral("%1,%2,%3,%4").arg(bounds.x()).arg(bounds.y()).arg(bounds.width()).arg(bounds.height());
    ParameterState& parameters = m_request.parameters();
    if (!parameters.setText(parameters.findRole(box)->id, text, &why)) m_activity.report(why);
}

void RegionTools::seed(QPoint pixel, bool add) {
    ParameterState& parameters = m_request.parameters();
    std::string place = placeOf(pixel, m_slice);
    const auto* before = parameters.valueFor<std::string>(seeds);
    if (add && before != nullptr && !before->empty()) place = *before + ';' + place;
    QString why;
    if (!parameters.set(parameters.findRole(seeds)->id, place, &why)) m_activity.report(why);
}

void RegionTools::cast() {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (device == nullptr) return;
    gpu::RoleValues values{{seeds, placeOf(m_cast->pixel, m_cast->slice)}, {valueTolerance, m_tolerance}};
    if (const auto* neighbours = neighboursOf(m_request.parameters())) values[connectivity] = *neighbours;
    m_jobs.start(
        this,
        [&runner = m_control.runner(), values, picture = m_request.document().grid(),
         on = *device](const JobContext& context) {
            return gpu::serve(runner, gpu::Service::selectRegion, values, picture, on, context.stop()).picture;
        },
        [this](JobResult<std::shared_ptr<const io::Grid>> result) {
            if (!result) return m_activity.fail(result.failure());
            m_mask.takeBack(m_cast->revision);  // another tolerance takes the place of the last
            m_mask.begin(tr("wand"), true);
            if (!m_cast->add) m_mask.fill(false);
            m_mask.pixels(*result.value(), 0, m_cast->slice);
            m_mask.end();
            m_cast->revision = m_mask.revision();
        });
}

std::string RegionTools::placeOf(QPoint pixel, int slice) const {
    const std::string place = std::to_string(pixel.x()) + ',' + std::to_string(pixel.y());
    return m_mask.shape().depth > 1 ? place + ',' + std::to_string(slice) : place;
}

bool RegionTools::key(const QKeyEvent& event, bool onlyAsked) {
    if (!m_on || (event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    for (const RegionTool tool : kRegionTools)
        if (event.key() == keyOf(tool)) {
            if (!onlyAsked) setTool(tool);
            return true;
        }
    const bool polygon = !m_corners.isEmpty();
    switch (event.key()) {
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
            if (!onlyAsked) grow(event.key() == Qt::Key_BracketRight);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (polygon && !onlyAsked) closePolygon();
            return polygon;
        case Qt::Key_Backspace:
            if (polygon && !onlyAsked) {
                m_corners.removeLast();
                emit changed();
            }
            return polygon;
        case Qt::Key_Escape:
            if (onlyAsked) return true;
            if (polygon)
                dropPolygon();
            else
                setOn(false);
            return true;
        default: return false;
    }
}

bool RegionTools::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && key(*static_cast<QKeyEvent*>(event), true)) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && key(*static_cast<QKeyEvent*>(event), false)) return true;
    return QObject::eventFilter(watched, event);
}

}  // namespace warplens::gui
