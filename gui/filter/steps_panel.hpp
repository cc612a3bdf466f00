// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/compare_session.hpp"
#include "gui/session/known_steps.hpp"

#include <QTimer>
#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace warplens::gui {

class ParameterForm;
class Presets;

/// The steps in a list, a field to add one by what it does, and the values of the step at hand: beside every view of
/// the workspace Picture. The quiet line says what ran, and leads to the step in the Lab.
class StepsPanel : public QWidget {
    Q_OBJECT
public:
    explicit StepsPanel(CompareSession& session, QWidget* parent = nullptr);

    const std::vector<KnownStep>& known() const { return m_known; }
    /// The user's own presets are steps as well.
    void setPresets(const Presets& presets);
    /// Whether the task at hand is a step.
    bool hasStep() const;
    /// Becomes a step behind the current one.
    void add(const KnownStep& step);
    void typeStep();
    /// In the place of the step's values while it is not null; the panel owns it.
    void setOwnForm(QWidget* form);
    /// What the quiet line tells: what ran for a step, for the task whatever it is, or nothing outside the workspace.
    enum class Tells { nothing, step, task };
    void setTells(Tells tells);
    /// For the status line.
    QPushButton* quietLine() const { return m_quiet; }

signals:
    void added(const KnownStep& step);
    /// The same steps for a folder.
    void batchWanted();
    /// Another view, or the page of the Lab that compares the step.
    void pageWanted(const QString& id);
    /// A value was entered.
    void done();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* makeChips(QWidget* content);
    void refreshChips();
    void offer(const QString& typed);
    QString quietText() const;
    void refresh();

    CompareSession& m_session;
    std::vector<KnownStep> m_known;
    QPushButton* m_quiet;
    QVBoxLayout* m_column = nullptr;  ///< this and what follows are made when the panel is first shown
    QWidget *m_steps = nullptr, *m_own = nullptr;
    ParameterForm* m_form = nullptr;
    std::vector<QPushButton*> m_chips;
    std::vector<const KnownStep*> m_likely;  ///< of m_known, a chip each
    QLabel *m_title = nullptr, *m_none = nullptr;
    QLineEdit* m_field = nullptr;
    QListWidget* m_offered = nullptr;
    Tells m_tells = Tells::nothing;
    QTimer m_later;
};

}  // namespace warplens::gui
