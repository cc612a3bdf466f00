// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/compare/results.hpp"
#include "gui/request/request_state.hpp"

#include <QString>
#include <QWidget>
#include <string>

class QPushButton;

namespace warplens::gui {

class SourceView;

/// The text of a variant's own kernel file, as it was built; empty for a library.
QString kernelSource(const gpu::Variant& variant);
/// The text of a kernel's file or of one that it includes, by its path below the root; empty when it is neither.
QString sourceOf(const std::string& path);

/// Right dock: the current variant's own kernel file, and the way to what changed since the baseline's.
class SourcePanel : public QWidget {
    Q_OBJECT
public:
    explicit SourcePanel(RequestState& request, Results& results, QWidget* parent = nullptr);
    SourceView* view() const { return m_view; }

signals:
    /// The current variant's source is to be shown beside that of another, by its id.
    void differenceWanted(const QString& against);

private:
    void refresh();
    void refreshDifference();
    RequestState& m_request;
    SourceView* m_view;
    QPushButton* m_difference;
};

}  // namespace warplens::gui
