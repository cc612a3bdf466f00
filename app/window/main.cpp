// SPDX-License-Identifier: Apache-2.0
#include "app/trace/client.hpp"
#include "app/window/desktop_identity.hpp"
#include "app/window/end_signals.hpp"
#include "app/window/interactive_bench.hpp"
#include "app/window/interactive_report.hpp"
#include "app/window/play.hpp"
#include "app/window/screenshot.hpp"
#include "app/window/start_page.hpp"
#include "gpu/device/specialising_wish.hpp"
#include "gui/kit/language.hpp"
#include "gui/kit/theme.hpp"
#include "gui/session/samples.hpp"
#include "gui/session/session_document.hpp"
#include "gui/timeline/timeline_page.hpp"
#include "gui/window/main_window.hpp"
#include "gui/window/preferences.hpp"
#include "gui/window/session_keeper.hpp"
#include "io/byte_size.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace {

using warplens::gui::SchemeChoice;

constexpr int kBadArguments = 2, kUnwritable = 3, kInterrupted = 130;
constexpr qlonglong kMostSteps = 1'000'000;

int refuse(const char* what) {
    std::fprintf(stderr, "warplens: %s; see warplens --help.\n", what);
    return kBadArguments;
}

std::optional<SchemeChoice> schemeOf(const QString& name) {
    if (name == QStringLiteral("dark")) return SchemeChoice::dark;
    if (name == QStringLiteral("light")) return SchemeChoice::light;
    if (name == QStringLiteral("system")) return SchemeChoice::followDesktop;
    return std::nullopt;
}

std::optional<QSize> sizeOf(const QString& text) {
    bool wide = false, high = false;
    const QSize size(text.section('x', 0, 0).toInt(&wide), text.section('x', 1).toInt(&high));
    if (!wide || !high || size.width() < 640 || size.height() < 400) return std::nullopt;
    return size;
}

/// Starts a comparison, of a session as soon as it is open; returns whether one has ended.
std::function<bool()> compareAll(warplens::gui::MainWindow& window, bool opensSession) {
    auto compared = std::make_shared<bool>(false);
    warplens::gui::CompareSession& session = window.session();
    QObject::connect(&session.control(), &warplens::gui::RunControl::compared, &session,
                     [compared] { *compared = true; });
    if (opensSession)
        QObject::connect(&window.keeper(), &warplens::gui::SessionKeeper::opened, &session, [&session] {
            // A recipe's pictures come after it, and a comparison of what was there before would be dropped.
            auto* calm = new QTimer(&session);
            QObject::connect(calm, &QTimer::timeout, &session, [&session, calm] {
                if (session.activity().busy() || session.request().devices().chosen() == nullptr) return;
                calm->deleteLater();
                calm->stop();
                session.control().compare();
            });
            calm->start(50);
        });
    else
        session.control().compare();
    return [compared] { return *compared; };
}

int run(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("warplens"));
    QApplication::setOrganizationName(QStringLiteral("warplens"));
    QApplication::setApplicationVersion(QStringLiteral(WARPLENS_VERSION));
    warplens::app::setDesktopIdentity();

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Shows what a CUDA optimisation does to your picture."));
    const QCommandLineOption device("device",
                                    "Where kernels run: cpu, cuda:N or a GPU's UUID; several with commas between them, "
                                    "or cuda:all, share a task.",
                                    "id");
    const QCommandLineOption memory("memory-limit", "What runs may allocate on the device, for example 800MB.", "size");
    const QCommandLineOption compare("compare", "Start a comparison of all variants at once.");
    const QCommandLineOption theme("theme", "Colours: system, dark or light.", "name");
    const QCommandLineOption size("size", "Size of the window, for example 1600x1000.", "WxH");
    const QCommandLineOption shot("screenshot", "Compare, or play, write a picture of the window, end.", "file");
    const QCommandLineOption play("play", "Iterate a stencil on the Volume page, pause after so many steps.", "steps");
    const QCommandLineOption page("page", "Page to start on, as in the header: compare, histogram ...", "name");
    const QCommandLineOption bench("bench-interactive", "Move sliders, print what each picture takes, end.");
    const QCommandLineOption family("family", "With --bench-interactive: whose sliders move.", "name");
    const QCommandLineOption report("report", "With --bench-interactive: its figures as JSON as well.", "file");
    parser.addOptions({device, memory, compare, theme, size, shot, page, play, bench, family, report});
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("file", "Picture or session to open, or a generated picture (gen:noise:512x512:f32).",
                                 "[file]");
    parser.process(application);
    if (parser.positionalArguments().size() > 1) return refuse("one picture at a time");
    const QString file = parser.positionalArguments().value(0);

    std::optional<QSize> wanted;
    if (parser.isSet(size) && !(wanted = sizeOf(parser.value(size))))
        return refuse("--size takes WxH, at least 640x400");
    const qlonglong steps = parser.value(play).toLongLong();
    if (parser.isSet(play) && (steps < 1 || steps > kMostSteps)) return refuse("--play takes 1 to 1000000 steps");
    const auto cap = warplens::io::byteSizeOf(parser.value(memory).toStdString());
    if (parser.isSet(memory) && !cap) return refuse("--memory-limit takes a size, as in 800MB, 1GB or 512MiB");
    std::optional<SchemeChoice> scheme;
    if (parser.isSet(theme) && !(scheme = schemeOf(parser.value(theme))))
        return refuse("--theme takes system, dark or light");

    if (const std::string problem = warplens::gpu::specialisingProblem(); !problem.empty())
        return refuse(problem.c_str());
    const bool benching = parser.isSet(bench);
    if (parser.isSet(report) && !benching) return refuse("--report belongs to --bench-interactive");
    if (parser.isSet(family) && !benching) return refuse("--family belongs to --bench-interactive");
    const warplens::gpu::Family* const benched = warplens::app::benchFamily(parser.value(family));
    if (benched == nullptr)
        return refuse(qPrintable(QStringLiteral("--family takes one of ") + warplens::app::benchFamilies()));
    if (benching && (parser.isSet(shot) || parser.isSet(play) || parser.isSet(compare)))
        return refuse("--bench-interactive runs alone, without --compare, --play or --screenshot");

    if (const QString to = parser.value(report); !to.isEmpty() && !warplens::app::reportWritable(to)) {
        std::fprintf(stderr, "warplens: %s could not be written; choose another name or folder.\n", qPrintable(to));
        return kUnwritable;
    }

    // A documentation picture must not depend on, nor change, how the user left the window.
    QTemporaryDir scratch;
    const bool documenting = parser.isSet(shot);
    if (documenting || benching) qputenv("WARPLENS_HISTORY", "off");
    // A script's picture or figures that did not come are no success.
    warplens::app::endOnSignals(application, documenting || benching ? kInterrupted : 0);
    QSettings settings(documenting || benching ? scratch.filePath("settings.ini") : QSettings().fileName(),
                       QSettings::IniFormat);
    warplens::gui::Theme::install(
        application, scheme.value_or(static_cast<SchemeChoice>(settings.value("window/theme", 0).toInt())));
    warplens::gui::useLanguage(settings.value(warplens::gui::Preferences::kLanguage).toString());
    warplens::gui::MainWindow window(settings);
    window.session().control().setTracer(std::make_shared<warplens::TraceProgram>());
    window.session().request().setMemoryCap(cap.value_or(0));
    if (benching && !wanted) wanted = QSize(1920, 1080);  // as maximised on most screens
    if (wanted) window.resize(*wanted);
    if (parser.isSet(page) && !warplens::app::startOn(window, parser.value(page), file))
        return refuse("--page takes the name of a page in the header");
    window.session().devices().fetch(parser.value(device).toStdString());
    if (benching && file.isEmpty())
        warplens::app::openBenchInput(window);
    else
        window.openInput(file.isEmpty() ? warplens::gui::defaultSample() : file);
    std::function<bool()> done;
    if (benching)
        warplens::app::benchInteractive(window, *benched, parser.value(report));
    else if (parser.isSet(play))
        done = warplens::app::playSteps(window, steps);
    else if (warplens::gui::isTimeline(file))
        done = [] { return true; };
    else if (file.isEmpty() || parser.isSet(compare) || documenting)
        done = compareAll(window, warplens::gui::isSession(file));
    window.show();
    if (!documenting && !benching) window.offerRecovery();
    if (documenting) warplens::app::takeScreenshot(window, parser.value(shot), done);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    // A file over the limit (ulimit -f) is an error of its write, with a sentence, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplens: %s\n", error.what());
        return 1;
    }
}
