// SPDX-License-Identifier: Apache-2.0
#include "app/trace/client.hpp"
#include "app/window/desktop_identity.hpp"
#include "app/window/display.hpp"
#include "app/window/end_signals.hpp"
#include "app/window/interactive_bench.hpp"
#include "app/window/interactive_report.hpp"
#include "app/window/play.hpp"
#include "app/window/screenshot.hpp"
#include "app/window/start_page.hpp"
#include "app/worker/client.hpp"
#include "gpu/device/specialisation_mode.hpp"
#include "gpu/user/shipped.hpp"
#include "gui/kernel/kernel_page.hpp"
#include "gui/kernel/kernel_side.hpp"
#include "gui/kit/language.hpp"
#include "gui/kit/theme.hpp"
#include "gui/session/file_formats.hpp"
#include "gui/session/samples.hpp"
#include "gui/session/session_state.hpp"
#include "gui/timeline/timeline_page.hpp"
#include "gui/why/why_page.hpp"
#include "gui/window/main_window.hpp"
#include "gui/window/page_stack.hpp"
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

constexpr int kBadArguments = 2, kFile = 3, kDevice = 4, kInterrupted = 130;
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

/// What the program can be told.
struct Options {
    QCommandLineOption device{"device",
                              "Where kernels run: cpu, cuda:N or a GPU's UUID; several with commas between them, "
                              "or cuda:all, share a task.",
                              "id"};
    QCommandLineOption memory{"memory-limit", "What runs may allocate on the device, for example 800MB.", "size"};
    QCommandLineOption compare{"compare", "Start a comparison of all variants at once."};
    QCommandLineOption theme{"theme", "Colours: system, dark or light.", "name"};
    QCommandLineOption size{"size", "Size of the window, for example 1600x1000.", "WxH"};
    QCommandLineOption shot{"screenshot", "Compare, or play, write a picture of the window, end.", "file"};
    QCommandLineOption play{"play", "Iterate a stencil on the Volume page, pause after so many steps.", "steps"};
    QCommandLineOption page{"page", "Page to start on, as in the header: compare, histogram ...", "name"};
    QCommandLineOption bench{"bench-interactive", "Move sliders, print what each picture takes, end."};
    QCommandLineOption family{"family", "With --bench-interactive: whose sliders move.", "name"};
    QCommandLineOption report{"report", "With --bench-interactive: its figures as JSON as well.", "file"};
    QCommandLineOption help{{"h", "help"}, "Displays help on commandline options."};
    QCommandLineOption version{{"v", "version"}, "Displays version information."};
    QCommandLineParser parser;

    Options() {
        // The toolkit has words after one dash, which hold the letters of others.
        parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
        parser.setApplicationDescription(QStringLiteral("Shows what a CUDA optimisation does to your picture."));
        parser.addOptions(
            {device, memory, compare, theme, size, shot, page, play, bench, family, report, help, version});
        parser.addPositionalArgument(
            "file", "Picture or session to open, or a generated picture (gen:noise:512x512:f32).", "[file]");
    }
};

/// Help and version need no display. Whether that was all that was asked for.
bool answered(int argc, char** argv) {
    const QCoreApplication core(argc, argv);
    Options options;
    options.parser.parse(QCoreApplication::arguments());  // what is wrong is said when the toolkit has taken its own
    if (options.parser.isSet(options.help)) {
        std::fputs(qPrintable(options.parser.helpText()), stdout);
        return true;
    }
    if (!options.parser.isSet(options.version)) return false;
    std::puts("warplens " WARPLENS_VERSION);
    return true;
}

/// What was asked for, checked.
struct Wishes {
    QString file, device, page, shot, report;
    std::optional<QSize> size;
    std::optional<SchemeChoice> scheme;
    std::int64_t memory = 0;
    qlonglong steps = 0;  ///< to play; 0: none
    bool compares = false, benches = false;
    const warplens::gpu::Family* benched = nullptr;

    bool documents() const { return !shot.isEmpty(); }
    /// A script waits for its end.
    bool scripted() const { return documents() || benches; }
};

/// Says what is wrong and returns the status to end with; 0: nothing is.
int take(const Options& options, Wishes& wishes) {
    const QCommandLineParser& parser = options.parser;
    if (parser.positionalArguments().size() > 1) return refuse("one picture at a time");
    wishes.file = parser.positionalArguments().value(0);
    wishes.device = parser.value(options.device);
    wishes.page = parser.value(options.page);
    wishes.shot = parser.value(options.shot);
    wishes.report = parser.value(options.report);
    wishes.compares = parser.isSet(options.compare);
    wishes.benches = parser.isSet(options.bench);
    if (parser.isSet(options.shot) && wishes.shot.isEmpty()) return refuse("--screenshot takes the name of a file");
    if (parser.isSet(options.size) && !(wishes.size = sizeOf(parser.value(options.size))))
        return refuse("--size takes WxH, at least 640x400");
    wishes.steps = parser.value(options.play).toLongLong();
    if (parser.isSet(options.play) && (wishes.steps < 1 || wishes.steps > kMostSteps))
        return refuse("--play takes 1 to 1000000 steps");
    const auto cap = warplens::io::byteSizeOf(parser.value(options.memory).toStdString());
    if (parser.isSet(options.memory) && !cap) return refuse("--memory-limit takes a size, as in 800MB, 1GB or 512MiB");
    wishes.memory = cap.value_or(0);
    if (parser.isSet(options.theme) && !(wishes.scheme = schemeOf(parser.value(options.theme))))
        return refuse("--theme takes system, dark or light");
    if (const std::string problem = warplens::gpu::specialisingProblem(); !problem.empty())
        return refuse(problem.c_str());
    if (parser.isSet(options.report) && !wishes.benches) return refuse("--report belongs to --bench-interactive");
    if (parser.isSet(options.family) && !wishes.benches) return refuse("--family belongs to --bench-interactive");
    wishes.benched = warplens::app::benchFamily(parser.value(options.family));
    if (wishes.benched == nullptr)
        return refuse(qPrintable(QStringLiteral("--family takes one of ") + warplens::app::benchFamilies()));
    if (wishes.benches && (wishes.documents() || wishes.steps > 0 || wishes.compares))
        return refuse("--bench-interactive runs alone, without --compare, --play or --screenshot");
    if (!wishes.report.isEmpty() && !warplens::app::reportWritable(wishes.report)) {
        std::fprintf(stderr, "warplens: %s could not be written; choose another name or folder.\n",
                     qPrintable(wishes.report));
        return kFile;
    }
    if (wishes.scripted() && warplens::gui::looksRaw(wishes.file) && QFileInfo(wishes.file).isFile()) {
        const auto guess = warplens::gui::guessRaw(wishes.file, QFileInfo(wishes.file).size());
        return refuse(qPrintable(QStringLiteral("%1 has no header; say what it holds, for example %2")
                                     .arg(wishes.file, QString::fromStdString(warplens::io::formatRaw(guess)))));
    }
    return 0;
}

/// Neither picture nor figures come of an input that cannot be read: a script hears why.
void endWhenRefused(warplens::gui::MainWindow& window, const QString& input) {
    using Kind = warplens::gui::JobFailure::Kind;
    QObject::connect(
        &window, &warplens::gui::MainWindow::inputRefused, &window,
        [file = QFileInfo::exists(input)](const warplens::gui::JobFailure& failure) {
            std::fprintf(stderr, "warplens: %s\n", qPrintable(failure.message));
            QApplication::exit(failure.kind == Kind::argument ? (file ? kFile : kBadArguments)
                               : failure.kind == Kind::file   ? kFile
                                                              : kDevice);
        },
        // Once the event loop runs: a session is read at once.
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

/// Opens what was asked for and starts what is to be done with it; returns whether there is something to show.
std::function<bool()> begin(warplens::gui::MainWindow& window, const Wishes& wishes) {
    using warplens::gui::Page;
    window.session().devices().fetch(wishes.device.toStdString());
    // What compares is shown where it is compared; a page that was named stays.
    if (wishes.page.isEmpty() && (wishes.compares || wishes.documents()))
        window.pages()->setWorkspace(Page::Workspace::lab);
    const bool asked = wishes.scripted() || wishes.compares || wishes.steps > 0 || !wishes.page.isEmpty();
    if (wishes.benches && wishes.file.isEmpty())
        warplens::app::openBenchInput(window);
    else if (wishes.file.isEmpty() && !asked)
        window.showStart();
    else
        window.openInput(wishes.file.isEmpty() ? warplens::gui::defaultSample() : wishes.file);
    if (wishes.benches)
        warplens::app::benchInteractive(window, *wishes.benched, wishes.report);
    else if (wishes.steps > 0)
        return warplens::app::playSteps(window, wishes.steps);
    else if (warplens::gui::isTimeline(wishes.file))
        return [] { return true; };
    else if (wishes.compares || wishes.documents())
        return compareAll(window, warplens::gui::isSession(wishes.file));
    return {};
}

int run(int argc, char** argv) {
    QCoreApplication::setApplicationName(QStringLiteral("warplens"));
    QCoreApplication::setOrganizationName(QStringLiteral("warplens"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WARPLENS_VERSION));
    if (answered(argc, argv)) return 0;
    auto display = std::make_unique<warplens::app::DisplayGuard>(kDevice);
    QApplication application(argc, argv);
    display.reset();
    warplens::app::setDesktopIdentity();

    Options options;
    options.parser.process(application);
    Wishes wishes;
    if (const int status = take(options, wishes); status != 0) return status;

    // A documentation picture must not depend on, nor change, how the user left the window.
    QTemporaryDir scratch;
    if (wishes.scripted()) qputenv("WARPLENS_HISTORY", "off");
    // A script's picture or figures that did not come are no success.
    warplens::app::endOnSignals(application, wishes.scripted() ? kInterrupted : 0);
    QSettings settings(wishes.scripted() ? scratch.filePath("settings.ini") : QSettings().fileName(),
                       QSettings::IniFormat);
    if (wishes.scripted()) settings.setValue(warplens::gui::MainWindow::kAtOnce, true);
    warplens::gui::Theme::install(
        application, wishes.scheme.value_or(static_cast<SchemeChoice>(settings.value("window/theme", 0).toInt())));
    warplens::gui::useLanguage(settings.value(warplens::gui::Preferences::kLanguage).toString());
    warplens::gui::MainWindow window(settings);
    window.session().control().setTracer(std::make_shared<warplens::TraceProgram>());
    auto* kernel = static_cast<warplens::gui::KernelPage*>(window.pages()->page(QStringLiteral("kernel")));
    warplens::worker::keepSpares();
    kernel->setMaker(warplens::worker::makeKernel);
    kernel->side().setMaker([](const auto& path, const auto& text, const auto& task, std::stop_token stop) {
        return warplens::worker::listingsOf(path, text, task, stop);
    });
    auto* why = static_cast<warplens::gui::WhyPage*>(window.pages()->page(QStringLiteral("why")));
    why->filmPanel().setMaker([](const auto& request, const auto& query, std::stop_token stop) {
        return warplens::TraceProgram().film(request, query, stop);
    });
    why->model().setLister(warplens::gpu::user::withShipped(
        [](const auto& variant, const auto& kernels, int capability, std::stop_token stop) {
            return warplens::worker::listingsOf(variant, kernels, capability, stop);
        },
        warplens::gui::resourceFolder(QStringLiteral("listings")).toStdString()));
    window.session().request().setMemoryCap(wishes.memory);
    if (wishes.benches && !wishes.size) wishes.size = QSize(1920, 1080);  // as maximised on most screens
    if (wishes.size) window.resize(*wishes.size);
    if (options.parser.isSet(options.page) && !warplens::app::startOn(window, wishes.page, wishes.file))
        return refuse("--page takes the name of a page in the header");
    if (wishes.scripted()) endWhenRefused(window, wishes.file);
    const std::function<bool()> done = begin(window, wishes);
    window.show();
    if (!wishes.scripted()) window.offerRecovery();
    if (wishes.documents()) warplens::app::takeScreenshot(window, wishes.shot, done);
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
