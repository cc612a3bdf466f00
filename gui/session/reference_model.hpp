// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/double_reference.hpp"
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
    const std::shared_ptr<const gpu::DoubleReference>& exact() const { return m_exact; }
    /// The same to look at.
    const std::shared_ptr<const io::Grid>& picture() const { return m_picture; }
    /// 0..1 of the values that the check looks at.
    double share() const { return m_share; }
    const QString& problem() const { return m_problem; }
    bool busy() const { return m_jobs.busy(); }

signals:
    void changed();

private:
    void follow();
    void forget();

    RequestState& m_request;
    Results& m_results;
    RunControl& m_control;
    std::set<const QObject*> m_wantedBy;
    std::shared_ptr<const io::Grid> m_of;  ///< the result whose reference is there, or being found
    std::shared_ptr<const gpu::DoubleReference> m_exact;
    std::shared_ptr<const io::Grid> m_picture;
    double m_share = 0;
    QString m_problem;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
