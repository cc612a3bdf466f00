// SPDX-License-Identifier: Apache-2.0
#include "gui/session/parameter_state.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

void ParameterState::setFamily(const gpu::Family& family) {
    if (m_family == &family) return;
    if (m_family != nullptr) m_left[m_family] = std::move(m_values);
    m_family = &family;
    m_values = m_left[&family];
    emit familyChanged();
}

const std::vector<gpu::Parameter>& ParameterState::parameters() const {
    static const std::vector<gpu::Parameter> none;
    return m_family != nullptr ? m_family->parameters() : none;
}

gpu::ParameterValues ParameterState::valuesOf(const gpu::Family& family) const {
    if (&family == m_family) return m_values;
    const auto left = m_left.find(&family);
    return left == m_left.end() ? gpu::ParameterValues() : left->second;
}

const gpu::Parameter::Value& ParameterState::value(const std::string& id) const {
    return gpu::valueOf(parameters(), m_values, id);
}

bool ParameterState::set(const std::string& id, const gpu::Parameter::Value& value, QString* why) {
    try {
        gpu::validate(parameters(), {{id, value}});
        if (this->value(id) == value) return true;
    } catch (const gpu::Error& e) {
        if (why != nullptr) *why = QString::fromUtf8(e.what());
        return false;
    }
    m_values[id] = value;
    emit changed(id);
    return true;
}

bool ParameterState::setText(const std::string& id, const QString& text, QString* why) {
    const auto& list = parameters();
    const auto at = std::ranges::find(list, id, &gpu::Parameter::id);
    try {
        if (at == list.end()) throw gpu::Error(gpu::Error::Kind::argument, "There is no parameter " + id + ".");
        return set(id, gpu::parse(*at, text.toStdString()), why);
    } catch (const gpu::Error& e) {
        if (why != nullptr) *why = QString::fromUtf8(e.what());
        return false;
    }
}

void ParameterState::setLengthsInUnit(bool inUnit) {
    if (std::exchange(m_lengthsInUnit, inUnit) != inUnit) emit unitChanged();
}

bool ParameterState::visible(const gpu::Parameter& parameter) const {
    if (parameter.visibleWhen.empty()) return true;
    const auto& list = parameters();
    const auto owner = std::ranges::find(list, parameter.visibleWhen, &gpu::Parameter::id);
    if (owner == list.end() || !visible(*owner)) return false;
    return std::ranges::find(parameter.visibleWhenIn, gpu::format(value(owner->id))) != parameter.visibleWhenIn.end();
}

gpu::ParameterValues ParameterState::shaping() const {
    gpu::ParameterValues values;
    for (const gpu::Parameter& parameter : parameters()) {
        const auto at = m_values.find(parameter.id);
        if (at != m_values.end() && visible(parameter)) values.insert(*at);
    }
    return values;
}

bool ParameterState::has(const std::string& id) const {
    return std::ranges::find(parameters(), id, &gpu::Parameter::id) != parameters().end();
}

}  // namespace warplens::gui
