// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

class QLabel;
class QLineEdit;
class QSettings;
class QVBoxLayout;

namespace warplens::gui {

class Actions;
class KeptComparisons;
class RecentFiles;

/// What the user may set once and for all, with a box that searches in it. Each setting acts at once.
class Preferences : public QDialog {
    Q_OBJECT
public:
    static constexpr const char* kLanguage = "window/language";

    Preferences(Actions& actions, KeptComparisons& kept, RecentFiles& recent, QSettings& settings, QWidget* window);

private:
    struct Row {
        QWidget* widget;
        QString words;  ///< that it is found by
    };
    void build();
    void addLook();
    void addLanguage();
    void addKept();
    void add(const QString& title, const QString& help, QWidget* control, const QString& more = {});
    void search(const QString& text);

    Actions& m_actions;
    KeptComparisons& m_kept;
    RecentFiles& m_recent;
    QSettings& m_settings;
    QWidget* m_content = nullptr;
    QVBoxLayout* m_column = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_none = nullptr;
    std::vector<Row> m_rows;
};

}  // namespace warplens::gui
