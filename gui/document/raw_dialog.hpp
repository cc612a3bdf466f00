// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "io/raw.hpp"

#include <QDialog>
#include <array>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QSpinBox;

namespace warplens::gui {

class StatusMark;
class ValueSpin;

/// Asks how the values lie in a file without a header: extent, type, byte order, bytes to skip. Shows a slice as it
/// would be, and the input that says the same on the command line. What does not fit the file is not opened.
class RawDialog : public QDialog {
    Q_OBJECT
public:
    explicit RawDialog(const QString& path, QWidget* parent = nullptr);
    io::RawDescription description() const;

signals:
    /// A "raw:" input whose size fits the file.
    void chosen(const QString& input);

private:
    QWidget* makeForm();
    QWidget* makePreview();
    void refresh();
    void preview();
    void showSlice(const QImage& slice);

    QString m_path;
    qint64 m_bytes;
    std::array<QSpinBox*, 3> m_extent{};
    std::array<ValueSpin*, 3> m_spacing{};
    QComboBox *m_channels = nullptr, *m_type = nullptr, *m_order = nullptr;
    QDoubleSpinBox* m_skip = nullptr;
    QLabel *m_picture = nullptr, *m_sliceText = nullptr, *m_verdict = nullptr;
    QSlider* m_slice = nullptr;
    StatusMark* m_mark = nullptr;
    QLineEdit* m_command = nullptr;
    QPushButton* m_open = nullptr;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
