// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/table_judge.hpp"

#include <cmath>

namespace warplens::gpu {
namespace {

/// Why two tables are not of one shape, or empty.
std::string otherShape(const Table& got, const Table& exact) {
    if (got.id != exact.id) return "table " + got.id + " instead of " + exact.id;
    if (got.columns.size() != exact.columns.size()) {
        return exact.id + ": " + std::to_string(got.columns.size()) + " columns instead of " +
               std::to_string(exact.columns.size());
    }
    for (std::size_t c = 0; c < exact.columns.size(); ++c) {
        const Column &a = got.columns[c], &b = exact.columns[c];
        if (a.id != b.id) return exact.id + ": column " + a.id + " instead of " + b.id;
        if (a.values.index() != b.values.index()) return exact.id + ": column " + a.id + " of another type";
        if (a.size() != b.size()) {
            return exact.id + ": " + std::to_string(a.size()) + " rows of " + a.id + " instead of " +
                   std::to_string(b.size());
        }
    }
    return {};
}

/// Text of a value for a message; what prints as nothing is named.
std::string shown(const Column& column, std::size_t row) {
    const std::string text = column.text(row);
    return text.empty() ? "nothing" : text;
}

}  // namespace

void TableJudge::compare(const Table& got, const Table& exact, const Bounds& bounds) {
    if (const std::string why = otherShape(got, exact); !why.empty()) {
        if (m_found.mismatches++ == 0) m_found.firstMismatch = why;
        return;
    }
    for (std::size_t c = 0; c < exact.columns.size(); ++c) {
        const auto bound = bounds.find(exact.columns[c].id);
        compareColumn(got.columns[c], exact.columns[c], bound == bounds.end() ? nullptr : &bound->second, exact);
    }
}

void TableJudge::compareColumn(const Column& got, const Column& exact, const std::vector<double>* bounds,
                               const Table& table) {
    for (std::size_t row = 0; row < exact.size(); ++row) {
        // The first column says which row it is.
        const std::string where = shown(table.columns.front(), row) + " " + exact.id;
        if (const auto* texts = std::get_if<Column::Texts>(&exact.values)) {
            if (std::get<Column::Texts>(got.values)[row] != (*texts)[row])
                fail(where, shown(got, row), shown(exact, row));
            continue;
        }
        if (const auto* integers = std::get_if<Column::Integers>(&exact.values)) {
            // Doubles would not tell large ones apart.
            const bool same = std::get<Column::Integers>(got.values)[row] == (*integers)[row];
            if (same || bounds == nullptr) {
                if (!same) {
                    m_found.maxAbsError =
                        std::fmax(m_found.maxAbsError, std::fabs(got.number(row) - exact.number(row)));
                    fail(where, shown(got, row), shown(exact, row));
                }
                continue;
            }
        }
        const double a = got.number(row), b = exact.number(row);
        if (!std::isfinite(b) || !std::isfinite(a)) {
            if (a != b && !(std::isnan(a) && std::isnan(b))) fail(where, shown(got, row), shown(exact, row));
            continue;
        }
        const double error = std::fabs(a - b), bound = bounds == nullptr ? 0 : (*bounds)[row];
        if (error > m_worst) {
            m_worst = m_found.maxAbsError = error;
            m_found.bound = bound;
        }
        // Written so that a bound that is no number fails.
        if (!(error <= bound)) fail(where, shown(got, row), shown(exact, row));
    }
}

Verification TableJudge::result() const {
    Verification result = m_found;
    result.checkedShare = 1;
    return result;
}

void TableJudge::fail(const std::string& where, const std::string& got, const std::string& exact) {
    if (m_found.mismatches++ > 0) return;
    m_found.firstMismatch = where + ": " + got + " instead of " + exact;
}

}  // namespace warplens::gpu
