// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QTextBrowser>

namespace warplens::gui {

/// The documents of docs/, whose links lead on; those to the web are opened by the desktop.
class GuideBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit GuideBrowser(QWidget* parent);

protected:
    /// Documents without their pictures, which are not part of the program.
    QVariant loadResource(int type, const QUrl& name) override;
    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override;
};

/// The user's guide. Never modal.
class GuideWindow : public QDialog {
    Q_OBJECT
public:
    explicit GuideWindow(QWidget* parent);
};

}  // namespace warplens::gui
