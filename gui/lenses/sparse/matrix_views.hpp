// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/matrix_rows.hpp"
#include "gui/kit/paint.hpp"

#include <memory>

namespace warplens::gui {

/// A warp of rows of the matrix, drawn in one of two ways; one row in the accent.
class WarpRowsView : public Plot {
    Q_OBJECT
public:
    using Plot::Plot;
    void setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row);
    /// What stands above each part, one line each; empty without rows.
    virtual QString spoken() const = 0;

signals:
    void rowChosen(int row);

protected:
    int length(int row) const { return m_rows->lengths[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const gpu::sparse::MatrixRows> m_rows;
    int m_first = 0, m_count = 0, m_row = 0;
};

/// The rows as each format stores them: one strip per format, padded places hatched.
WarpRowsView* makeFormatsView(QWidget* parent = nullptr);

/// What the 32 lanes of a warp do for the rows: one thread per row, and one warp per row. Filled: a lane multiplies;
/// hatched: it waits.
WarpRowsView* makeLanesView(QWidget* parent = nullptr);

}  // namespace warplens::gui
