// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/table.hpp"

#include <map>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Compares tables with what they should be, value by value, and gathers what that shows.
class TableJudge {
public:
    /// How far a number may be off, a value a row, by column id. What is not named must be exact.
    using Bounds = std::map<std::string, std::vector<double>>;

    /// Other columns, types or numbers of rows are one mismatch. What is not finite must agree in class.
    void compare(const Table& got, const Table& exact, const Bounds& bounds = {});
    Verification result() const;

private:
    void compareColumn(const Column& got, const Column& exact, const std::vector<double>* bounds, const Table& table);
    void fail(const std::string& where, const std::string& got, const std::string& exact);

    double m_worst = -1;
    Verification m_found;
};

}  // namespace warplens::gpu
