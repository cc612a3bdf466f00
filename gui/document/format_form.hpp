// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/derived.hpp"
#include "io/fit_format.hpp"
#include "io/format.hpp"

#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QSettings;
class QSlider;
class QSpinBox;

namespace warplens::gui {

/// How pictures are to be saved: format, type of the values, quality; beside it how large a file will be (estimated)
/// and what it loses of a picture. It begins as it was left.
class FormatForm : public QWidget {
    Q_OBJECT
public:
    /// Of one picture, or of many, of which each may need another type.
    enum class For { one, many };
    FormatForm(For many, QSettings& settings, QWidget* parent);

    /// What is said is said of this one, and of the one it was made of, whose type says what is white. Null: nothing.
    void setPicture(std::shared_ptr<const io::Grid> picture, std::shared_ptr<const io::Grid> original);
    const io::Format& format() const;
    QString ending() const { return QString::fromLatin1(format().extensions.front()); }
    io::FitOptions fit() const;
    io::EncodeOptions encoding() const;
    /// Begins so the next time.
    void keep();
    static constexpr int kTitleWidth = 90;

signals:
    void changed();

private:
    /// What is found of one choice, on another thread.
    struct Choice {
        std::shared_ptr<const io::Grid> picture;
        std::string format;
        std::optional<io::PixelType> type;
        int quality = 0;
        std::string way{};
        bool operator==(const Choice&) const = default;
    };
    struct Outlook {
        QStringList lost;
        double bytes = 0;
    };
    static Outlook outlookOf(const io::Grid& picture, const io::Format& format, const io::FitOptions& fit,
                             const io::EncodeOptions& encode, const std::stop_token& stop);
    QString id(const char* name) const;
    void makeRows();
    void listFormats();
    /// That of the file where it holds the result as it is, else what was chosen last.
    void choose(const io::Grid* original);
    void takeFormat();
    void ask();
    void showOutlook();

    For m_for;
    QSettings& m_settings;
    std::shared_ptr<const io::Grid> m_picture;
    QComboBox *m_formats, *m_types, *m_ways;
    QSlider* m_quality;
    QSpinBox* m_number;
    QLabel *m_size, *m_lost;
    QWidget *m_typeRow = nullptr, *m_qualityRow = nullptr, *m_wayRow = nullptr, *m_outlookRows = nullptr;
    io::FitOptions::Range m_range{};
    Derived<Choice, Outlook> m_outlook;
};

}  // namespace warplens::gui
