// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/why.hpp"
#include "gui/lenses/sparse/matrix_model.hpp"
#include "gui/lenses/sparse/source_layer.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/page.hpp"

class QLabel;
class QSplitter;

namespace warplens::gui {

class CompareSession;
class ElidedLabel;
class Pane;
class ProductsView;
class SessionNotice;
class SolveChart;
class WarpRowsView;
class WhyText;

/// The matrix behind the picture: its pixels numbered as rows, a warp of them as every format stores it and as two
/// kernels work on it, what that means, and how solvers fill the picture in.
class MatrixPage : public Page {
    Q_OBJECT
public:
    explicit MatrixPage(CompareSession& session, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("matrix"); }
    QString title() const override { return tr("Matrix"); }
    bool takes(const gpu::Family& family) const override { return family.id() == "sparse"; }
    Docks docks() const override { return {.results = false, .source = false, .task = false}; }
    Primary primary() const override;
    void runPrimary() override;
    ViewState* currentView() const override { return m_near; }
    QString viewText() const override;
    bool settled() const override;

    MatrixModel& model() { return m_model; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeRows();
    QWidget* makeFormats();
    QWidget* makeWhy();
    /// A panel's head: what it is, and on the right a label with its origin.
    QWidget* head(const QString& title, ElidedLabel*& label, Origin origin, QWidget* parent);
    void refreshPictures();
    void refreshRows();
    void refreshCurves();
    void refreshProducts();
    void lookAtRow();
    std::vector<gpu::WhySentence> sentences() const;

    CompareSession& m_session;
    MatrixModel m_model;
    ViewState *m_near, *m_far;
    SessionNotice* m_notice;
    Pane *m_picture, *m_mask, *m_result;
    WarpRowsView *m_lanes, *m_formats;
    ProductsView* m_products;
    SolveChart* m_chart;
    WhyText* m_text;
    ElidedLabel *m_lanesLabel = nullptr, *m_formatsLabel = nullptr, *m_solveLabel = nullptr, *m_productsLabel = nullptr;
    QLabel* m_none = nullptr;  ///< why there are no rows
    QWidget* m_solving = nullptr;
    QWidget* m_measured = nullptr;  ///< the products' head and rows
    QSplitter* m_columns;
    UnknownsOverlay m_rows;
    PixelOverlay m_unknowns;
    bool m_moved = false;  ///< the columns, by the user
};

}  // namespace warplens::gui
