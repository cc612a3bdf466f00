// SPDX-License-Identifier: Apache-2.0
// Opening plain values in the real window.
#include "gui/document/raw_dialog.hpp"

#include "io/read.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QUrl>

namespace warplens::gui::test {
namespace {

class RawWindow : public WindowTest {
protected:
    QString write(const char* name, int bytes) {
        const QString path = folder.filePath(QString::fromUtf8(name));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        QByteArray values(bytes, '\0');
        for (int i = 0; i < bytes; ++i) values[i] = static_cast<char>(i % 251);
        file.write(values);
        return path;
    }
    void drop(const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &event);
        dialog = window->findChild<RawDialog*>("raw-dialog");
        ASSERT_NE(dialog, nullptr);
    }
    template <class Widget>
    Widget* in(const char* name) {
        auto* widget = dialog->findChild<Widget*>(QString::fromUtf8(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    void type(const char* field, const char* text) {
        auto* spin = in<QAbstractSpinBox>(field);
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, text);
        QTest::keyClick(spin, Qt::Key_Tab);
    }
    QString verdict() { return in<QLabel>("raw-verdict")->text(); }
    RawDialog* dialog = nullptr;
};

TEST_F(RawWindow, ADroppedFileIsAskedAboutAndOpened) {
    const QString path = write("scan.raw", 20 + 2 * 12 * 10 * 5);
    drop(path);
    EXPECT_FALSE(in<QPushButton>("raw-open")->isEnabled() && verdict().isEmpty());
    type("raw-extent-0", "12");
    type("raw-extent-1", "10");
    type("raw-extent-2", "5");
    in<QComboBox>("raw-type")->setFocus();
    QTest::keyClicks(in<QComboBox>("raw-type"), "u16");
    // Twenty bytes are left over, and said so; nothing is opened.
    EXPECT_EQ(verdict(), "needs 1,200 bytes; the file has 20 too many");
    EXPECT_FALSE(in<QPushButton>("raw-open")->isEnabled());
    type("raw-skip", "21");
    EXPECT_EQ(verdict(), "needs 1,221 bytes; the file has 1 too few");
    EXPECT_FALSE(in<QPushButton>("raw-open")->isEnabled());
    type("raw-skip", "20");
    ASSERT_TRUE(in<QPushButton>("raw-open")->isEnabled()) << verdict().toStdString();
    in<QComboBox>("raw-order")->setFocus();
    QTest::keyClick(in<QComboBox>("raw-order"), Qt::Key_End);
    // A slice as it would be.
    in<QSlider>("raw-slice")->setFocus();
    QTest::keyClick(in<QSlider>("raw-slice"), Qt::Key_End);
    EXPECT_EQ(in<QSlider>("raw-slice")->value(), 4);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return in<QLabel>("raw-picture")->pixmap().size() == QSize(12, 10) ||
                   in<QLabel>("raw-picture")->pixmap().width() > 12;
        },
        kPatienceMs));
    const QString input = QStringLiteral("raw:%1:12x10x5:u16:order=big:skip=20").arg(path);
    EXPECT_EQ(in<QLineEdit>("raw-command")->text(), input);
    QTest::mouseClick(in<QPushButton>("raw-copy"), Qt::LeftButton);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), input);
    QTest::mouseClick(in<QPushButton>("raw-open"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == input; }, kPatienceMs))
        << session().activity().notice().toStdString();
    const io::Grid expected = io::read(input.toStdString());
    EXPECT_EQ(session().document().grid()->value(3, 4, 2, 0), expected.value(3, 4, 2, 0));
    EXPECT_EQ(expected.value(0, 0, 0, 0), 20 * 256 + 21) << "big endian, after the header";
    QTest::qWait(1);
    EXPECT_EQ(window->findChild<RawDialog*>("raw-dialog"), nullptr);
}

TEST_F(RawWindow, TheNameAndTheSizeGiveAFirstGuess) {
    struct Case {
        const char* name;
        int bytes;
        const char* input;
    };
    for (const Case& one :
         {Case{"foot-8x6x4.raw", 8 * 6 * 4 * 4, "8x6x4:f32"}, Case{"a-8x6_int16.bin", 96, "8x6:i16"},
          Case{"cube.raw", 1000, "10x10x10:u8"}, Case{"head-8x6x4.raw", 20 + 8 * 6 * 4 * 2, "8x6x4:u16:skip=20"},
          Case{"cube2.dat", 2000, "10x10x10:u16"}, Case{"square.raw", 49, "7x7:u8"}, Case{"row.raw", 13, "13x1:u8"}}) {
        const QString path = write(one.name, one.bytes);
        window->openInput(path);
        dialog = window->findChild<RawDialog*>("raw-dialog");
        ASSERT_NE(dialog, nullptr);
        EXPECT_EQ(in<QLineEdit>("raw-command")->text(),
                  QStringLiteral("raw:%1:%2").arg(path, QString::fromUtf8(one.input)));
        EXPECT_TRUE(in<QPushButton>("raw-open")->isEnabled()) << one.name << ": " << verdict().toStdString();
        QTest::keyClick(dialog, Qt::Key_Escape);
        EXPECT_FALSE(dialog->isVisible());
        delete dialog;
    }
    EXPECT_TRUE(session().document().empty());
}

}  // namespace
}  // namespace warplens::gui::test
