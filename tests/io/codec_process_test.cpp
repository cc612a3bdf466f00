// SPDX-License-Identifier: Apache-2.0
#include "io/codec_client.hpp"
#include "io/codec_pool.hpp"
#include "io/codec_protocol.hpp"
#include "io/codecs/codec.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/files.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace warplens::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Kind = io::Error::Kind;
namespace protocol = io::protocol;

std::size_t openFiles() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

/// The process that we have started and not waited for; 0 when there is none.
pid_t onlyChild() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream status(entry.path() / "status");
        for (std::string line; std::getline(status, line);) {
            if (line == "PPid:\t" + std::to_string(::getpid())) return static_cast<pid_t>(std::stol(name));
        }
    }
    return 0;
}

/// Each test ends with no child left, living or dead, and no descriptor more than before.
class CodecProcess : public ::testing::Test {
protected:
    void SetUp() override {
        m_picture =
            m_folder.write("a.png", io::codecs::encode(randomGrid({5, 4, 1, 3}, io::PixelType::u8), "png", "x"));
        m_files = openFiles();
    }
    void TearDown() override {
        ::unsetenv("WARPLENS_CODEC");
        ::unsetenv("WARPLENS_CODEC_TIMEOUT");
        io::endWaitingCodecs();
        EXPECT_EQ(openFiles(), m_files);
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    }
    /// Puts a shell script in the codec's place.
    void pretend(const std::string& script) {
        const auto path = m_folder.write("fake-codec", bytesOf("#!/bin/sh\n" + script + "\n"));
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        ::setenv("WARPLENS_CODEC", path.c_str(), 1);
        ::setenv("WARPLENS_CODEC_TIMEOUT", "1", 1);
    }
    /// A codec that answers just these bytes.
    void answer(const Bytes& bytes) { pretend("exec cat '" + m_folder.write("answer", bytes) + "'"); }
    auto reading() {
        return [this] { io::read(m_picture); };
    }

    Folder m_folder;
    std::string m_picture;
    std::size_t m_files = 0;
};

TEST_F(CodecProcess, TheRealOneReadsAndWrites) {
    for (int i = 0; i < 5; ++i) {
        const auto grid = io::read(m_picture);
        EXPECT_EQ(grid.shape(), (io::Shape{5, 4, 1, 3}));
        EXPECT_EQ(io::encode(grid, "png"), readFile(m_picture));
    }
}

TEST_F(CodecProcess, TheSamplesAreReadAndSmall) {
    const std::filesystem::path folder = WARPLENS_SOURCE_DIR "/resources/samples";
    std::uintmax_t bytes = 0;
    int pictures = 0;
    int words = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        bytes += entry.file_size();
        if (entry.path().extension() == ".md") continue;
        const auto grid = io::read(entry.path().string());
        EXPECT_GE(grid.shape().pixels(), 200'000) << entry.path();
        words += grid.type() == io::PixelType::u16;
        ++pictures;
    }
    EXPECT_GE(pictures, 4);
    EXPECT_GE(words, 1);
    EXPECT_LT(bytes, 4U << 20);
}

TEST_F(CodecProcess, OneThatCrashesIsAnError) {
    pretend("kill -SEGV $$");
    EXPECT_TRUE(
        refuses(reading(), Kind::unreadable, "failed (signal 11), which is a fault of Warplens: please report it"));
    pretend("kill -KILL $$");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "killed"));
    pretend("echo no such library >&2; exit 127");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "status 127 (no such library)"));
    pretend("exit 0");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "ended early"));
}

TEST_F(CodecProcess, EverySignalThatEndsItIsToldForWhatItIs) {
    // The others are ignored unless a program asks for them, or only pause it.
    const std::set<int> harmless{SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
    const std::set<int> crashes{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    const std::map<int, std::string> known{{SIGKILL, "want of memory"}, {SIGXCPU, "processor time"}};
    for (int signal = 1; signal < SIGRTMIN; ++signal) {
        if (harmless.contains(signal) || signal >= 32) continue;
        pretend("echo Assertion failed >&2; kill -" + std::to_string(signal) + " $$");
        const auto found = known.find(signal);
        const auto expected = found != known.end()       ? found->second
                              : crashes.contains(signal) ? "failed (signal " + std::to_string(signal) + ")"
                                                         : "from outside (signal " + std::to_string(signal) + ")";
        const auto error = errorOf(reading());
        ASSERT_TRUE(error) << signal;
        const std::string what = error->what();
        EXPECT_NE(what.find(expected), std::string::npos) << what;
        EXPECT_EQ(error->kind(), Kind::unreadable);
        EXPECT_EQ(what.find("Assertion"), std::string::npos) << "of no use: " << what;
        EXPECT_EQ(what.find("please report") != std::string::npos, crashes.contains(signal)) << what;
        for (const char* blame : {"damaged", "hostile", "another copy"})
            EXPECT_EQ(what.find(blame), std::string::npos) << "the file is not known to be: " << what;
    }
}

TEST_F(CodecProcess, TooFewFilesAreNoReasonToReinstall) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer needs files of its own to look at an exception";
#endif
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = ::dup(0);
    ::close(next);
    // From no file more than now up to as many as it takes.
    bool read = false;
    for (int more = 1; more < 20 && !read; ++more) {
        const rlimit few{static_cast<rlim_t>(next + more), before.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
        const auto error = errorOf(reading());
        ::setrlimit(RLIMIT_NOFILE, &before);
        read = !error;
        if (read) break;
        EXPECT_NE(std::string(error->what()).find("ulimit -n"), std::string::npos) << error->what();
    }
    EXPECT_TRUE(read);
}

/// How many descriptors a thread uses at most is decided by the turns; without them half of these fail.
TEST_F(CodecProcess, ManyAtOnceTakeTurnsWhereFewFilesMayBeOpen) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer needs files of its own";
#endif
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_NO_THROW(io::read(m_picture));  // what is opened once is open
    const int next = ::dup(0);
    ::close(next);
    const rlimit few{static_cast<rlim_t>(next + 25), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    std::atomic<int> failed = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 24; ++i) {
            threads.emplace_back([&, i] {
                const auto error = errorOf([&] {
                    const auto grid = io::read(m_picture);
                    io::write(grid, m_folder.path() / ("out" + std::to_string(i) + ".png"));
                });
                if (error) ++failed;
            });
        }
    }
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(failed, 0);
}

/// A batch of small pictures takes what decoding takes, not what starting a program does.
TEST_F(CodecProcess, OneProcessAnswersManyRequestsEachInAForkOfItsOwn) {
    const auto processes = m_folder.path() / "processes";
    pretend("echo >> '" + processes.string() + "'; exec '" WARPLENS_CODEC_PROGRAM "' \"$@\"");
    ::setenv("WARPLENS_CODEC_TIMEOUT", "30", 1);
    const auto bad = m_folder.write("bad.png", bytesOf("no picture"));
    for (int i = 0; i < 10; ++i) {
        const auto grid = io::read(m_picture);
        EXPECT_EQ(io::encode(grid, "png"), readFile(m_picture));
        EXPECT_TRUE(refuses([&] { io::read(bad); }, Kind::unsupported));
        EXPECT_TRUE(refuses([&] { io::encode(grid, "bmp"); }, Kind::unsupported));
    }
    EXPECT_EQ(readFile(processes).size(), 2U) << "programs started: one that reads, one that writes";
}

TEST_F(CodecProcess, OneThatEndedWhileItWaitedIsReplaced) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_NO_THROW(io::read(m_picture));
        siginfo_t child{};
        const auto pid = onlyChild();
        ASSERT_GT(pid, 0);
        ASSERT_EQ(::kill(pid, SIGKILL), 0);
        ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &child, WEXITED | WNOWAIT), 0);
    }
}

TEST_F(CodecProcess, WhatOneRequestLeavesIsNotForTheNext) {
    // Says that it is done, and leaves bytes that the next request would take for its answer.
    const auto lead = protocol::pack(protocol::MessageHeader{protocol::Kind::picture, 0});
    const auto left = m_folder.write("left", Bytes(lead.begin(), lead.end()));
    const auto failure = protocol::pack(protocol::Failure{Kind::unreadable, "refused by the first"});
    const auto start = protocol::pack(protocol::MessageHeader{protocol::Kind::failure, failure.size()});
    const auto first = m_folder.write("first", join({Bytes(start.begin(), start.end()), failure}));
    const auto started = m_folder.path() / "started";
    pretend("echo >> '" + started.string() + "'; cat '" + first + "'; printf x >&3; cat '" + left + "'; exec sleep 50");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "refused by the first"));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "refused by the first"));
    EXPECT_EQ(readFile(started).size(), 2U);
    // One that did not even read its request is not asked again either.
    pretend("echo >> '" + started.string() + "'; cat '" + first + "'; printf x >&3; exec sleep 50");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "refused by the first"));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "refused by the first"));
    EXPECT_EQ(readFile(started).size(), 4U);
}

TEST_F(CodecProcess, ACrashIsToldWithTheFormatAsAFaultOfOurs) {
    const auto lead =
        protocol::pack(protocol::MessageHeader{protocol::Kind::format, protocol::packFormat("DICOM").size()});
    const auto said = m_folder.write("said", join({Bytes(lead.begin(), lead.end()), protocol::packFormat("DICOM")}));
    pretend("cat '" + said + "'; kill -ABRT $$");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "Warplens's reader of DICOM files failed (signal 6)"));
    pretend("kill -SYS $$");
    EXPECT_TRUE(refuses(
        [&] {
            io::encode(randomGrid({2, 2, 1, 1}, io::PixelType::u8), "png");
        },
        Kind::unwritable, "Warplens's writer of .png files failed (signal 31)"));
}

TEST_F(CodecProcess, OneThatHangsIsEndedWithAllItStarted) {
    // The second process keeps the pipe open; it has to go, too.
    const auto mark = (m_folder.path() / "alive").string();
    for (const char* script : {"sleep 50", "sleep 50 & wait", "trap '' TERM INT HUP; while :; do :; done",
                               "yes >&2 & cat > /dev/null; sleep 50"}) {
        pretend(std::string(script));
        const auto begin = Clock::now();
        EXPECT_TRUE(refuses(reading(), Kind::unreadable, "longer than 1 s")) << script;
        EXPECT_LT(Clock::now() - begin, 3s) << script;
    }
    pretend("(sleep 2; touch '" + mark + "') & sleep 50");
    EXPECT_TRUE(refuses(reading(), Kind::unreadable));
    std::this_thread::sleep_for(1300ms);
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(CodecProcess, AStopIsHeardAtOnce) {
    pretend("sleep 50");
    ::setenv("WARPLENS_CODEC_TIMEOUT", "50", 1);
    std::stop_source stop;
    std::jthread later([&] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    io::ReadOptions options;
    options.stop = stop.get_token();
    const auto begin = Clock::now();
    EXPECT_TRUE(refuses([&] { io::read(m_picture, options); }, Kind::cancelled));
    EXPECT_LT(Clock::now() - begin, 1s);
}

TEST_F(CodecProcess, OneThatLiesIsNotBelieved) {
    const auto lead = [](protocol::Kind kind, std::size_t size) {
        const auto bytes = protocol::pack(protocol::MessageHeader{kind, size});
        return Bytes(bytes.begin(), bytes.end());
    };
    const auto picture = [&](const io::Shape& shape, std::size_t pixelBytes) {
        protocol::PictureHeader header{shape, io::PixelType::u8, {}, {}};
        const auto body = protocol::pack(header);
        return join({lead(protocol::Kind::picture, body.size()), body, Bytes(pixelBytes)});
    };
    answer(picture({3, 2, 1, 1}, 6));
    EXPECT_NO_THROW(io::read(m_picture));
    answer(picture({3, 2, 1, 1}, 5));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "ended early"));
    answer(picture({3, 2, 1, 1}, 10'000'000));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable));
    answer(picture({1 << 21, 1, 1, 1}, 6));
    EXPECT_TRUE(refuses(reading(), Kind::limit));
    answer(picture({-1, 2, 1, 1}, 6));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "empty"));
    answer(picture({3, 2, 1, 2}, 12));
    EXPECT_TRUE(refuses(reading(), Kind::unsupported, "channels"));
    answer(Bytes(1000));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "malformed"));
    answer(lead(protocol::Kind::picture, 1 << 30));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "malformed"));
    answer(join({lead(protocol::Kind::file, 8), little(5, 8)}));
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "wrong answer"));
}

TEST_F(CodecProcess, OneThatStopsListeningWhileWeSendIsAnErrorNotASignal) {
    const auto grid = randomGrid({2000, 1000, 1, 1}, io::PixelType::u8);
    for (const char* script : {"exec 0<&-; exit 3", "head -c 1000 > /dev/null; exit 3"}) {
        pretend(script);
        EXPECT_TRUE(refuses([&] { io::encode(grid, "png"); }, Kind::unwritable, "status 3"));
    }
    const auto body = protocol::pack(std::uint64_t{1} << 40);
    const auto lead = protocol::pack(protocol::MessageHeader{protocol::Kind::file, body.size()});
    answer(join({Bytes(lead.begin(), lead.end()), body}));
    EXPECT_TRUE(refuses([&] { io::encode(grid, "png"); }, Kind::unwritable, "too large"));
}

TEST_F(CodecProcess, AFailedSaveKeepsTheOldFile) {
    const auto path = m_folder.write("old.png", bytesOf("old"));
    const auto entries = m_folder.entries();
    pretend("kill -SEGV $$");
    EXPECT_TRUE(refuses(
        [&] {
            io::write(randomGrid({9, 9, 1, 1}, io::PixelType::u8), path);
        },
        Kind::unwritable, "old.png"));
    EXPECT_EQ(readFile(path), bytesOf("old"));
    EXPECT_EQ(m_folder.entries(), entries + 1) << "only the fake codec is new";
}

TEST_F(CodecProcess, WithoutOneNpyAndGeneratedInputsStillWork) {
    ::setenv("WARPLENS_CODEC", "/nonexistent/warplens-codec", 1);
    EXPECT_TRUE(refuses(reading(), Kind::unreadable, "WARPLENS_CODECS=ON"));
    const auto grid = io::read("gen:noise:8x8:u8");
    const auto npy = m_folder.path() / "a.npy";
    io::write(grid, npy);
    EXPECT_TRUE(sameValues(io::read(npy.string()), grid));
    EXPECT_TRUE(refuses([&] { io::write(grid, m_folder.path() / "b.png"); }, Kind::unwritable, "WARPLENS_CODECS=ON"));
}

TEST_F(CodecProcess, LinksSpacesAndControlCharactersInNames) {
    std::filesystem::create_directory(m_folder.path() / "other place");
    std::filesystem::create_symlink(m_picture, m_folder.path() / "other place" / "a link");
    EXPECT_NO_THROW(io::read((m_folder.path() / "other place" / "a link").string()));
    const auto bad = m_folder.write("two\nlines.png", bytesOf("not a picture"));
    const auto error = errorOf([&] { io::read(bad); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), Kind::unsupported);
    EXPECT_EQ(std::string(error->what()).find('\n'), std::string::npos);
}

TEST_F(CodecProcess, AMemoryBombIsHeldByThePolicy) {
    // Within the policy by its header, and its rows are there: nothing but the file's own size is used.
    io::ReadOptions options;
    options.limits.bytes = 1000;
    EXPECT_NO_THROW(io::read(m_picture, options));
    options.limits.bytes = 59;
    EXPECT_TRUE(refuses([&] { io::read(m_picture, options); }, Kind::limit, "59"));
    options.limits.fileBytes = 10;
    EXPECT_TRUE(refuses([&] { io::read(m_picture, options); }, Kind::limit, "10 bytes"));
}

}  // namespace
}  // namespace warplens::test
