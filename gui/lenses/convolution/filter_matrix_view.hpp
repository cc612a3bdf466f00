// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"

#include <QPoint>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <vector>

class QLineEdit;

namespace warplens::gui {

/// A matrix as the parameter "matrix" takes it: values by comma, rows by semicolon.
QString matrixText(int width, const std::vector<float>& weights);

/// A filter's matrix as cells tinted by weight, 1x1 to 63x63; numbers where the cells are large enough. When editable,
/// arrows move, typing, Enter, F2 or a double click edits a cell, Enter keeps and Esc drops. It has one size, its hint.
class FilterMatrixView : public Plot {
    Q_OBJECT

public:
    explicit FilterMatrixView(QWidget* parent = nullptr);
    /// Row-major, width * height weights. The current cell is kept when the size is the same.
    void setMatrix(int width, int height, std::vector<float> weights);
    void setEditable(bool editable);
    bool editable() const { return m_editable; }
    int columns() const { return m_width; }
    int rows() const { return m_height; }
    QString text() const { return matrixText(m_width, m_weights); }
    /// Column and row of the current cell.
    QPoint currentCell() const { return m_current; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

public slots:
    void setCurrentCell(QPoint cell);
    /// Opens the editor on the current cell, with `first` typed; does nothing when not editable.
    void edit(const QString& first = {});

signals:
    /// The user changed a cell; the text of the whole matrix.
    void matrixEdited(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QRectF cell(int column, int row) const;
    QSizeF cellSize() const;
    /// Of the numbers in the cells; 0: no room for any.
    int decimals() const;
    QPoint cellAt(QPointF position) const;
    float weight(QPoint cell) const { return m_weights[static_cast<std::size_t>(cell.y() * m_width + cell.x())]; }
    void commit();
    void closeEditor();
    /// Takes what is typed and goes on with the next weight, or the one before; false at the end.
    bool editNext(int step);
    void describe();

    int m_width = 1, m_height = 1;
    std::vector<float> m_weights{1.0F};
    QPoint m_current;
    bool m_editable = false;
    QLineEdit* m_editor;
};

}  // namespace warplens::gui
