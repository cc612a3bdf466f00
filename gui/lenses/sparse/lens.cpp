// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gui/lenses/sparse/matrix_page.hpp"
#include "gui/lenses/sparse/source_layer.hpp"
#include "gui/session/compare_session.hpp"

namespace warplens::gui {

namespace {

/// A page of the matrix: which pixels are rows, how formats store them, which lanes work, how solvers come along. What
/// is cloned in is dragged by the mouse.
class SparseLens : public Lens {
public:
    QWidget* makeLayer(RequestState& request, ImageView& view) const override { return new SourceLayer(view, request); }
    Page* makePage(CompareSession& session, ViewState&, QWidget* parent) const override {
        return new MatrixPage(session, parent);
    }
};

}  // namespace

WARPLENS_LENS_OF(sparse, SparseLens)

}  // namespace warplens::gui
