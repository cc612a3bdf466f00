// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/double_reference.hpp"
#include "gui/kit/derived.hpp"
#include "gui/session/results.hpp"
#include "gui/session/run_control.hpp"

#include <QObject>
#include <QString>
#include <memory>
#include <set>

namespace warplens::gui {

/// What stands for the double reference in references and panes.
inline const QString kExactKey = QStringLiteral("double-reference");

/// The double reference of the current result, found on another thread while somebody looks at it.
class ReferenceModel : public QObject {
    Q_OBJECT
public:
    ReferenceModel(RequestState& request, Results& results, RunControl& control, QObject* parent = nullptr);

    /// Whether `by` looks at it; it is found while anybody does.
    void setWanted(const QObject* by, bool wanted);
    /// Null while it is not there; problem() may say why it never will be.
    std::shared_ptr<const gpu::DoubleReference> exact() const {
        return m_found.value() ? m_found.value()->exact : nullptr;
    }
    /// The same to look at.
    std::shared_ptr<const io::Grid> picture() const { return m_found.value() ? m_found.value()->picture : nullptr; }
    /// 0..1 of the values that the check looks at.
    double share() const { return m_found.value() ? m_found.value()->share : 0; }
    const QString& problem() const { return m_found.problem(); }
    bool busy() const { return m_found.busy(); }

signals:
    void changed();

private:
    struct Found {
        std::shared_ptr<const gpu::DoubleReference> exact;
        std::shared_ptr<const io::Grid> picture;
        double share;
    };
    void follow();

    RequestState& m_request;
    Results& m_results;
    RunControl& m_control;
    std::set<const QObject*> m_wantedBy;
    Derived<std::shared_ptr<const io::Grid>, Found> m_found{[this] { emit changed(); }};  ///< of a result's picture
};

}  // namespace warplens::gui
