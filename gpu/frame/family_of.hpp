// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// A family whose problems are of class P, made of a picture and values. Parameters and rows outlive it.
/// `results`: what resultValues() says; null: as the picture's.
template <class P>
class FamilyOf : public Family {
public:
    FamilyOf(FamilyInfo info, const std::vector<Parameter>& parameters, const std::vector<Variant>& variants,
             std::optional<ResultValues> (*results)(const ParameterValues&) = nullptr)
        : m_info(std::move(info)), m_parameters(parameters), m_variants(variants), m_results(results) {}

    const FamilyInfo& info() const override { return m_info; }
    const std::vector<Parameter>& parameters() const override { return m_parameters; }
    const std::vector<Variant>& variants() const override { return m_variants; }
    std::optional<ResultValues> resultValues(const ParameterValues& values) const override {
        return m_results == nullptr ? std::nullopt : m_results(values);
    }

protected:
    std::unique_ptr<Problem> makeProblem(std::shared_ptr<const io::Grid> input,
                                         const ParameterValues& values) const override {
        return std::make_unique<P>(std::move(input), values);
    }

private:
    FamilyInfo m_info;
    const std::vector<Parameter>& m_parameters;
    const std::vector<Variant>& m_variants;
    std::optional<ResultValues> (*m_results)(const ParameterValues&);
};

}  // namespace warplens::gpu
