// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/kit/panel.hpp"
#include "gui/session/difference_model.hpp"

#include <QRegularExpression>
#include <functional>
#include <optional>
#include <utility>

namespace warplens::gui {

namespace {

/// Asks for the coordinates of a pixel: "x y", "x, y" or, in a volume, "x y z". Stays open until they lie inside.
class GoToBox : public QDialog {
public:
    GoToBox(const io::Shape& shape, QWidget* parent, std::function<void(PixelPlace)> chosen)
        : QDialog(parent), m_shape(shape), m_chosen(std::move(chosen)) {
        setUpDialog(this, "go-to", tr("Go to a pixel"));
        const bool volume = shape.depth > 1;
        auto* label =
            new QLabel(volume ? tr("Column, row and slice, from 0: x y z") : tr("Column and row, from 0: x y"), this);
        label->setBuddy(m_text);
        setWidgetText(m_text, {.id = "go-to-place", .name = label->text()});
        m_why->setMinimumWidth(260);
        m_why->setText(tr("Enter goes there, Esc closes."));
        fill(new QVBoxLayout(this), {label, m_text, m_why});
        connect(m_text, &QLineEdit::returnPressed, this, &GoToBox::take);
    }

    /// What a text means in a picture of these extents; none when it is no place in it.
    static std::optional<PixelPlace> parse(const QString& text, const io::Shape& shape) {
        static const QRegularExpression separators(QStringLiteral("[\\s,;x×]+"));
        const QStringList parts = text.trimmed().split(separators, Qt::SkipEmptyParts);
        const bool volume = shape.depth > 1;
        if (parts.size() < 2 || parts.size() > (volume ? 3 : 2)) return std::nullopt;
        std::int64_t values[3]{};
        for (int i = 0; i < parts.size(); ++i) {
            bool number = false;
            values[i] = parts[i].toLongLong(&number);
            if (!number || values[i] < 0) return std::nullopt;
        }
        if (values[0] >= shape.width || values[1] >= shape.height || values[2] >= shape.depth) return std::nullopt;
        return PixelPlace{values[0], values[1], values[2]};
    }

private:
    void take() {
        const auto place = parse(m_text->text(), m_shape);
        if (!place) {
            m_why->setText(tr("No pixel of this picture: x 0 to %1, y 0 to %2.")
                               .arg(format::integer(m_shape.width - 1), format::integer(m_shape.height - 1)));
            return m_text->selectAll();
        }
        m_chosen(*place);
        close();
    }

    io::Shape m_shape;
    std::function<void(PixelPlace)> m_chosen;
    QLineEdit* m_text = new QLineEdit(this);
    QLabel* m_why = made(new QLabel(this), {.look = "hint"});
};

}  // namespace

QDialog* makeGoToBox(const io::Shape& shape, QWidget* parent, std::function<void(PixelPlace)> chosen) {
    return new GoToBox(shape, parent, std::move(chosen));
}

}  // namespace warplens::gui
