// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/recent_files.hpp"

#include <vector>

class QAbstractButton;
class QBoxLayout;
class QLabel;

namespace warplens::gui {

/// What stands there while no picture is open: three ways in, samples, the files opened last. Nothing runs meanwhile
/// but what draws the samples' small pictures. It stands in both workspaces, and in neither's header.
class StartPage : public Page {
    Q_OBJECT
public:
    enum class Way { filter, compare, learn };

    StartPage(RecentFiles& recent, Activity& activity, QWidget* parent);

    QString id() const override { return QStringLiteral("start"); }
    QString title() const override { return tr("Start"); }
    bool standsIn(Workspace) const override { return true; }
    bool takes(const gpu::Family&) const override { return true; }
    bool followsFamily() const override { return true; }
    Primary primary() const override { return {.text = title(), .tip = {}, .shown = false}; }
    QWidget* statusWidget() override;
    Docks docks() const override { return {false, false, false}; }
    ViewState* currentView() const override { return nullptr; }
    bool settled() const override { return !m_jobs.busy(); }

signals:
    void wayChosen(warplens::gui::StartPage::Way way);
    void openWanted();
    void folderWanted();
    void pasteWanted();
    /// A sample, or one of the files opened last.
    void pictureWanted(const QString& input);
    /// Back to the picture that is open.
    void backWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    using Group = std::vector<QAbstractButton*>;
    QLayout* makeHead();
    QLayout* makeWays();
    QLayout* makeSamples();
    QLayout* makeRecentHead();
    void listRecent();
    void askAbout(const QString& file, QPoint at);
    void drawSamples();
    void fit();
    void add(Group& group, QAbstractButton* tile);
    void step(const Group& group, const QAbstractButton* from, int by) const;

    RecentFiles& m_recent;
    QLabel *m_calm, *m_none = nullptr;
    QWidget* m_content = nullptr;
    QBoxLayout* m_files = nullptr;
    Group m_ways, m_samples, m_rows;
    bool m_drawn = false;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
