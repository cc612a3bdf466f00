// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// A family's parameters, each with the member of S that has its value; a choice may be an enumeration in the order of
/// its words.
template <class S>
class BoundParameters {
public:
    struct Bound {
        template <class T>
        Bound(Parameter declared, T S::*member)
            : parameter(std::move(declared)), take([member](S& to, const Parameter& of, const Parameter::Value& value) {
                  to.*member = valueAs<T>(of, value);
              }) {}
        Parameter parameter;
        std::function<void(S&, const Parameter&, const Parameter::Value&)> take;
    };

    BoundParameters(std::initializer_list<Bound> all) {
        for (const Bound& one : all) {
            m_list.push_back(one.parameter);
            m_takes.push_back(one.take);
        }
    }

    const std::vector<Parameter>& list() const { return m_list; }
    /// Values or defaults. Throws as validate().
    S read(const ParameterValues& values) const {
        validate(m_list, values);
        S to{};
        for (std::size_t i = 0; i < m_list.size(); ++i)
            m_takes[i](to, m_list[i], valueOf(m_list, values, m_list[i].id));
        return to;
    }

private:
    template <class T>
    static T valueAs(const Parameter& of, const Parameter::Value& value) {
        if constexpr (std::is_same_v<T, Parameter::Value>)
            return value;
        else if constexpr (std::is_enum_v<T>)
            return static_cast<T>(std::ranges::find(of.choices, std::get<std::string>(value)) - of.choices.begin());
        else if constexpr (std::is_same_v<T, int>)
            return static_cast<int>(std::get<std::int64_t>(value));
        else
            return std::get<T>(value);
    }

    std::vector<Parameter> m_list;
    std::vector<std::function<void(S&, const Parameter&, const Parameter::Value&)>> m_takes;
};

}  // namespace warplens::gpu
