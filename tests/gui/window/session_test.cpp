// SPDX-License-Identifier: Apache-2.0
// Session files: saved, moved, opened, broken, kept by themselves, brought back after a kill.
#include "gui/picture/pane_grid.hpp"
#include "gui/window/session_keeper.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/schema.hpp"

#include <QAction>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace warplens::gui::test {
namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class SessionTest : public WindowTest {
protected:
    bool save(const QString& path) {
        QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
        window->keeper().save(path);
        return saved.wait(kPatienceMs);
    }
    bool load(const QString& path) {
        QSignalSpy opened(&window->keeper(), &SessionKeeper::opened);
        window->openInput(path);
        return opened.wait(kPatienceMs) && idle();
    }
    /// Opens a picture that no steps of a recipe stand for.
    void useResult() { session().inputs().use("made here", "made", record().result.picture); }
    void choose() {
        session().parameters().set("filter", std::string("box"));
        session().parameters().set("radius", std::int64_t{5});
        session().variants().setChecked({"naive", "tiled_input"});
        session().request().setCurrent("tiled_input");
        session().request().setBaseline("tiled_input");
        session().lookedAt().setReference("naive");
        comparePage()->setPaneCount(3);
        ViewState* view = comparePage()->panes()->viewState();
        view->setZoom(7);
        view->setColourMap(ColourMap::magma);
        comparePage()->panes()->setRange({10, 90});
        window->findChild<QAction*>("tiles")->setChecked(true);
    }
};

TEST_F(SessionTest, EverythingChosenComesBackFromAnotherFolder) {
    QDir(folder.path()).mkpath("a/pictures");
    io::write(io::read("gen:gradient:40x30:u16"), folder.filePath("a/pictures/p.npy").toStdString());
    open(folder.filePath("a/pictures/p.npy"));
    choose();
    for (int turn = 0; turn < 2; ++turn) window->findChild<QAction*>("line-profile-turn")->trigger();  // a column
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(save(folder.filePath("a/s.warplens")));
    const QByteArray text = contents(folder.filePath("a/s.warplens"));
    EXPECT_EQ(warplens::test::violation("session", text.toStdString()), "");
    EXPECT_TRUE(text.contains("\"pictures/p.npy\"")) << "paths are relative";
    EXPECT_FALSE(text.contains(folder.path().toUtf8()));
    ASSERT_TRUE(QDir(folder.path()).rename("a", "b"));
    reopen();
    ASSERT_TRUE(load(folder.filePath("b/s.warplens"))) << session().activity().notice().toStdString();
    EXPECT_EQ(session().document().input(), folder.filePath("b/pictures/p.npy"));
    EXPECT_EQ(gpu::format(session().parameters().value("filter")), "box");
    EXPECT_EQ(gpu::format(session().parameters().value("radius")), "5");
    EXPECT_EQ(session().variants().checked(), (std::vector<std::string>{"naive", "tiled_input"}));
    EXPECT_EQ(session().request().current(), "tiled_input");
    EXPECT_EQ(session().request().baseline(), "tiled_input");
    EXPECT_EQ(session().lookedAt().reference(), "naive");
    EXPECT_EQ(comparePage()->paneCount(), 3);
    const ViewState* view = comparePage()->panes()->viewState();
    EXPECT_DOUBLE_EQ(view->zoom(), 7);
    EXPECT_EQ(view->colourMap(), ColourMap::magma);
    EXPECT_EQ(view->range(), (DisplayRange{10, 90}));
    EXPECT_TRUE(window->findChild<QAction*>("tiles")->isChecked());
    EXPECT_TRUE(window->findChild<QAction*>("line-profile")->isChecked());
    EXPECT_TRUE(text.contains("\"profile_line\"")) << "a column, which is not what the profile begins with";
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();
    EXPECT_FALSE(window->findChild<QAction*>("undo")->isEnabled());
    // Saved again, it says the same.
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(save(folder.filePath("b/t.warplens")));
    EXPECT_EQ(contents(folder.filePath("b/t.warplens")), text);
}

TEST_F(SessionTest, AChangedOrMissingInputIsSaid) {
    const QString picture = folder.filePath("p.npy");
    io::write(io::read("gen:noise:20x20:u8"), picture.toStdString());
    open(picture);
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    io::write(io::read("gen:noise:20x20:u8:seed=9"), picture.toStdString());
    ASSERT_TRUE(load(folder.filePath("s.warplens")));
    EXPECT_TRUE(QTest::qWaitFor([this] { return session().activity().notice().contains("has changed"); }, kPatienceMs));
    QFile::remove(picture);
    open("gen:impulse:9x9:u8");
    window->openInput(folder.filePath("s.warplens"));
    EXPECT_TRUE(QTest::qWaitFor([this] { return session().activity().notice().contains("p.npy"); }, kPatienceMs));
    EXPECT_EQ(session().document().input(), "gen:impulse:9x9:u8") << "a failure leaves everything as it was";
}

TEST_F(SessionTest, APictureComputedHereLiesBesideTheSession) {
    open("gen:noise:24x20:f32");
    useResult();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().derived(); }, kPatienceMs));
    const QString name = session().document().input();
    const auto grid = session().document().grid();
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    reopen();
    ASSERT_TRUE(load(folder.filePath("s.warplens"))) << session().activity().notice().toStdString();
    EXPECT_EQ(session().document().input(), name);
    EXPECT_TRUE(session().document().derived());
    const auto again = session().document().grid();
    ASSERT_EQ(again->bytes(), grid->bytes());
    EXPECT_EQ(std::memcmp(again->data(), grid->data(), grid->bytes()), 0);
}

TEST_F(SessionTest, AComputedVolumeKeepsWhereItLies) {
    io::Grid volume = io::read("gen:noise:12x10x6:f32");
    volume.geometry = {{0.5, 0.75, 3}, {-10, 20, 5}, {0, 1, 0, -1, 0, 0, 0, 0, 1}};
    io::write(volume, folder.filePath("v.nrrd").toStdString());
    open(folder.filePath("v.nrrd"));
    useResult();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().derived(); }, kPatienceMs));
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    reopen();
    ASSERT_TRUE(load(folder.filePath("s.warplens"))) << session().activity().notice().toStdString();
    ASSERT_TRUE(session().document().derived());
    const auto again = session().document().grid();
    EXPECT_EQ(again->geometry, volume.geometry);
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();
}

TEST_F(SessionTest, SnapshotsComeBackFromAnotherFolder) {
    QDir(folder.path()).mkpath("a");
    open("gen:noise:24x20:f32:c=3");
    QTest::keyClick(comparePage(), Qt::Key_K);
    session().parameters().set("radius", std::int64_t{5});
    ASSERT_TRUE(filtered());
    QTest::keyClick(comparePage(), Qt::Key_K);
    window->findChild<QAction*>("snapshot-2")->trigger();
    const std::vector<Snapshot> taken = session().snapshots().all();
    ASSERT_EQ(taken.size(), 2U);
    ASSERT_TRUE(save(folder.filePath("a/s.warplens")));
    const QByteArray text = contents(folder.filePath("a/s.warplens"));
    EXPECT_EQ(warplens::test::violation("session", text.toStdString()), "");
    EXPECT_FALSE(text.contains(folder.path().toUtf8())) << "paths are relative";
    ASSERT_TRUE(QDir(folder.path()).rename("a", "b"));
    reopen();
    ASSERT_TRUE(load(folder.filePath("b/s.warplens"))) << session().activity().notice().toStdString();
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();
    const std::vector<Snapshot>& back = session().snapshots().all();
    ASSERT_EQ(back.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(back[i].key, taken[i].key);
        EXPECT_EQ(back[i].title, taken[i].title);
        EXPECT_EQ(back[i].detail, taken[i].detail) << "what it was made of";
        EXPECT_EQ(stateOf(back[i].record), stateOf(taken[i].record));
        EXPECT_FALSE(back[i].record.time.has_value()) << "of another program's run";
        const io::Grid &was = *taken[i].record.result.picture, &is = *back[i].record.result.picture;
        ASSERT_EQ(is.shape(), was.shape());
        EXPECT_EQ(std::memcmp(is.data(), was.data(), was.bytes()), 0);
    }
    EXPECT_EQ(session().lookedAt().reference(), "snapshot-2");
    EXPECT_TRUE(window->findChild<QAction*>("snapshot-2")->isVisible());
    EXPECT_EQ(contents(folder.filePath("b/s.warplens")), text);
    // A further one has a key of its own, and saving again leaves nothing of those that are gone.
    ASSERT_TRUE(filtered());
    for (int i = 0; i < Snapshots::kMost; ++i) QTest::keyClick(comparePage(), Qt::Key_K);
    EXPECT_EQ(session().snapshots().all().back().key, "snapshot-12");
    ASSERT_TRUE(save(folder.filePath("b/s.warplens")));
    EXPECT_EQ(QDir(folder.filePath("b")).entryList({"s.warplens.snapshot-*"}, QDir::Files).size(), Snapshots::kMost);
    // A session of before there were any takes them away, the reference too.
    open("gen:noise:24x20:f32:c=3");
    const SessionDocument document =
        parseSession(contents(folder.filePath("b/s.warplens")), folder.filePath("b/s.warplens"));
    SessionDocument old = document;
    old.snapshots.clear();
    io::writeFileAtomically(folder.filePath("old.warplens").toStdString(), toJson(old, folder.path()).toStdString());
    ASSERT_FALSE(contents(folder.filePath("old.warplens")).contains("snapshots"));
    ASSERT_TRUE(load(folder.filePath("old.warplens"))) << session().activity().notice().toStdString();
    EXPECT_TRUE(session().snapshots().all().empty());
    EXPECT_EQ(session().lookedAt().reference(), "input");
}

TEST_F(SessionTest, ASnapshotThatChangedOrLacksIsLeftOutAndSaid) {
    open("gen:noise:24x20:u8");
    for (const std::int64_t radius : {3, 4, 5}) {
        session().parameters().set("radius", radius);
        ASSERT_TRUE(filtered());
        QTest::keyClick(comparePage(), Qt::Key_K);
    }
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    const SessionDocument document =
        parseSession(contents(folder.filePath("s.warplens")), folder.filePath("s.warplens"));
    ASSERT_EQ(document.snapshots.size(), 3U);
    io::write(io::read("gen:impulse:24x20:u8"), document.snapshots[0].path.toStdString());
    ASSERT_TRUE(QFile::remove(document.snapshots[1].path));
    ASSERT_TRUE(load(folder.filePath("s.warplens")));
    ASSERT_EQ(session().snapshots().all().size(), 1U);
    EXPECT_EQ(session().snapshots().all().front().key, "snapshot-3");
    EXPECT_TRUE(session().activity().notice().contains("snapshot-1 is left out"))
        << session().activity().notice().toStdString();
    EXPECT_TRUE(session().activity().notice().contains("snapshot-2 is left out"))
        << session().activity().notice().toStdString();
}

/// As a double click or a command line does it: the program itself, started with the session's file.
TEST_F(SessionTest, TheProgramStartsWithASession) {
    open("gen:noise:48x40:u8");
    choose();
    window->findChild<QAction*>("tiles")->setChecked(false);
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    const auto photograph = [this](const QString& what, const QString& picture) {
        QProcess program;
        program.start(QCoreApplication::applicationDirPath() + "/warplens",
                      {"--device", "cpu", "--theme", "dark", "--size", "1600x1000", "--screenshot",
                       folder.filePath(picture), what});
        return program.waitForFinished(kPatienceMs) && program.exitCode() == 0;
    };
    ASSERT_TRUE(photograph(folder.filePath("s.warplens"), "s.png"));
    ASSERT_TRUE(photograph("gen:noise:48x40:u8", "plain.png"));
    const QImage kept(folder.filePath("s.png")), plain(folder.filePath("plain.png"));
    ASSERT_EQ(kept.size(), QSize(1600, 1000));
    // The filter's name and the radius are drawn where this window, which is as large, draws them.
    window->resize(1600, 1000);
    ASSERT_TRUE(filtered());
    const QImage own = window->grab().toImage();
    for (const char* name : {"filter", "radius"}) {
        auto* field = find<QWidget>(name);
        const QRect area = QRect(field->mapTo(window.get(), QPoint()), field->size()).adjusted(3, 3, -3, -3);
        EXPECT_EQ(kept.copy(area).convertToFormat(QImage::Format_RGB32),
                  own.copy(area).convertToFormat(QImage::Format_RGB32))
            << name;
        EXPECT_NE(plain.copy(area), kept.copy(area)) << name;
    }
}

TEST_F(SessionTest, EveryCutAndForeignFileIsOneSentence) {
    open("gen:noise:16x16:u8");
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    const QByteArray whole = contents(folder.filePath("s.warplens")).trimmed();
    for (qsizetype length = 0; length < whole.size(); length += 7) {
        EXPECT_THROW(parseSession(whole.first(length), "x.warplens"), std::exception) << length;
    }
    EXPECT_NO_THROW(parseSession(whole, "x.warplens"));
    EXPECT_THROW(parseSession("{\"schema\":99,\"family\":\"convolution\"}", "x.warplens"), std::exception);
    EXPECT_THROW(parseSession("[1]", "x.warplens"), std::exception);
}

TEST_F(SessionTest, WhichFrameAndTextThatIsNoPathAreKept) {
    for (const char* input :
         {"/a/b/brain.nii", "raw:/a/b/x.bin:4x4:u8", "series:/a/b/slice-###.png", "gen:noise:8x8:u8"}) {
        SessionDocument document;
        document.input = input;
        document.choice = {3, "1.2.840", true};
        document.family = "convolution";
        EXPECT_EQ(parseSession(toJson(document, "/a/c"), "/a/c/s.warplens"), document) << input;
    }
}

TEST_F(SessionTest, ACopyIsKeptAndOfferedOnlyWhenItsProgramIsGone) {
    open("gen:noise:16x16:u8");
    window->keeper().setInterval(50);
    session().parameters().set("radius", std::int64_t{9});
    ASSERT_TRUE(filtered());
    QTest::keyClick(comparePage(), Qt::Key_K);
    const QString copy = window->keeper().copy();
    ASSERT_TRUE(QTest::qWaitFor([&] { return contents(copy).contains("\"snapshot-1\""); }, kPatienceMs));
    const QString picture = parseSession(contents(copy), copy).snapshots.front().path;
    EXPECT_TRUE(window->keeper().lost().isEmpty()) << "the program lives";
    // As a killed program leaves it: the file, and a lock of nobody.
    QFile::copy(copy, folder.filePath("autosave/1-1.warplens"));
    QFile::copy(picture, folder.filePath("kept.npy"));
    reopen();
    EXPECT_FALSE(QFile::exists(copy) || QFile::exists(picture)) << "an orderly end leaves nothing";
    ASSERT_TRUE(QFile::rename(folder.filePath("kept.npy"), picture));
    EXPECT_EQ(gpu::format(session().parameters().value("radius")), "2");
    ASSERT_TRUE(window->offerRecovery());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(find<QDialog>("recovery")));
    EXPECT_TRUE(find<QLabel>("recovery-text")->text().endsWith("was kept: gen:noise:16x16:u8, convolution."))
        << find<QLabel>("recovery-text")->text().toStdString();
    QTest::keyClick(find<QPushButton>("recover"), Qt::Key_Return);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return gpu::format(session().parameters().value("radius")) == "9"; }, kPatienceMs))
        << session().activity().notice().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->keeper().lost().isEmpty(); }, kPatienceMs));
    EXPECT_TRUE(QFile::exists(window->keeper().copy())) << "the new program keeps it before the old copy goes";
    EXPECT_EQ(session().snapshots().all().size(), 1U);
    EXPECT_TRUE(contents(window->keeper().copy()).contains("\"snapshot-1\""));
}

TEST_F(SessionTest, ASessionIsOpenedByDropping) {
    open("gen:noise:16x16:u8");
    session().parameters().set("radius", std::int64_t{4});
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    session().parameters().set("radius", std::int64_t{1});
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(folder.filePath("s.warplens"))});
    QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return gpu::format(session().parameters().value("radius")) == "4"; }, kPatienceMs))
        << session().activity().notice().toStdString();
}

// --- killing ---------------------------------------------------------------------------------------------------------

int setting(const char* name, int otherwise) {
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariableIntValue(name) : otherwise;
}

/// What is killed: changes sigma a hundred times an interval and writes down when, until the end.
TEST_F(SessionTest, DISABLED_ChangesForEver) {
    const QString place = qEnvironmentVariable("WARPLENS_KILL_FOLDER");
    ASSERT_FALSE(place.isEmpty());
    QSettings own(place + "/settings.ini", QSettings::IniFormat);
    MainWindow victim(own);
    victim.session().inputs().open("gen:noise:16x16:u8");
    const int interval = setting("WARPLENS_KILL_INTERVAL", 300);
    victim.keeper().setInterval(interval);
    QFile log(place + "/log");
    ASSERT_TRUE(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    for (int i = 1;; ++i) {
        victim.session().parameters().set("sigma", 0.001 * (i % 50'000 + 100));
        log.write(QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + ' ' + QByteArray::number(i) + '\n');
        QTest::qWait(std::max(5, interval / 100));
    }
}

/// WARPLENS_KILLS times (scripts/kill-test: 50); the interval stands for the 30 s of the program.
TEST_F(SessionTest, KillsLoseNoMoreThanTheIntervalAndTearNothing) {
    const int kills = setting("WARPLENS_KILLS", 2), interval = setting("WARPLENS_KILL_INTERVAL", 300);
    constexpr int kSlackMs = 1500;  // a loaded machine, the disk
    qint64 worst = 0;
    int found = 0;
    for (int round = 0; round < kills; ++round) {
        const QTemporaryDir place;
        QProcess victim;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("WARPLENS_KILL_FOLDER", place.path());
        environment.insert("WARPLENS_KILL_INTERVAL", QString::number(interval));
        victim.setProcessEnvironment(environment);
        victim.setStandardOutputFile(QProcess::nullDevice());
        victim.setStandardErrorFile(QProcess::nullDevice());
        victim.start(QCoreApplication::applicationFilePath(),
                     {"--gtest_also_run_disabled_tests", "--gtest_filter=SessionTest.DISABLED_ChangesForEver"});
        ASSERT_TRUE(QTest::qWaitFor([&] { return contents(place.filePath("log")).count('\n') > 2; }, kPatienceMs));
        const qint64 began = contents(place.filePath("log")).split(' ').front().toLongLong();
        QTest::qWait(QRandomGenerator::global()->bounded(4 * interval));
        victim.kill();
        const qint64 killed = QDateTime::currentMSecsSinceEpoch();
        victim.waitForFinished();
        const QDir kept(place.filePath("autosave"));
        const QStringList copies = kept.entryList({"*.warplens"}, QDir::Files);
        if (copies.isEmpty()) {
            EXPECT_LT(killed - began, interval + kSlackMs) << "round " << round;
            continue;
        }
        ++found;
        ASSERT_EQ(copies.size(), 1);
        const QByteArray text = contents(kept.filePath(copies.front()));
        ASSERT_EQ(warplens::test::violation("session", text.toStdString()), "")
            << "round " << round << " tore the file";
        const SessionDocument document = parseSession(text, kept.filePath(copies.front()));
        const double sigma = document.families.at("convolution").values.at("sigma").toDouble();
        const int step = static_cast<int>(std::lround(sigma / 0.001)) - 100;
        // What came after the copy is lost: from the change that it lacks to the kill.
        for (const QByteArray& line : contents(place.filePath("log")).split('\n')) {
            const auto parts = line.split(' ');
            if (parts.size() != 2 || parts[1].toInt() != step + 1) continue;
            worst = std::max(worst, killed - parts[0].toLongLong());
        }
        // The next program finds it.
        QSettings own(place.filePath("settings.ini"), QSettings::IniFormat);
        MainWindow next(own);
        EXPECT_EQ(next.keeper().lost(), kept.absoluteFilePath(copies.front()));
    }
    EXPECT_LE(worst, interval + kSlackMs);
    RecordProperty("kills", kills);
    RecordProperty("copies_found", found);
    RecordProperty("most_lost_ms", static_cast<int>(worst));
    std::printf("%d kills, %d copies found, most lost %d ms at an interval of %d ms\n", kills, found,
                static_cast<int>(worst), interval);
}

}  // namespace
}  // namespace warplens::gui::test
