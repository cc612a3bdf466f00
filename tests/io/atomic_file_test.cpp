// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include "io/write.hpp"
#include "tests/io/support/files.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

TEST(AtomicFile, ReplacesAndKeepsThePermissions) {
    const Folder folder;
    const auto path = folder.path() / "a.txt";
    io::writeFileAtomically(path, std::string("old"));
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    io::writeFileAtomically(path, std::string("new text"));
    EXPECT_EQ(readFile(path), bytesOf("new text"));
    EXPECT_EQ(folder.entries(), 1U);
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(AtomicFile, WithoutCommitTheOldFileStandsAndNothingIsLeft) {
    const Folder folder;
    const auto path = folder.path() / "a.txt";
    io::writeFileAtomically(path, std::string("old"));
    {
        io::AtomicFile file(path);
        file.write(bytesOf("half of the ne"));
    }
    EXPECT_EQ(readFile(path), bytesOf("old"));
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, ADiskThatIsFullLeavesTheOldFile) {
    const Folder folder;
    const auto path = folder.path() / "a.npy";
    io::writeFileAtomically(path, std::string("old"));
    // A file size limit stands in for a full disk: write() fails half-way in the same manner.
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto grid = randomGrid({100, 100, 1, 1}, io::PixelType::u8);
    EXPECT_TRUE(refuses([&] { io::write(grid, path); }, Kind::unwritable, "ulimit -f"));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(readFile(path), bytesOf("old"));
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, AFolderThatDoesNotExistOrAFolderAsNameIsRefused) {
    const Folder folder;
    EXPECT_TRUE(
        refuses([&] { io::writeFileAtomically(folder.path() / "no" / "a", std::string("x")); }, Kind::unwritable));
    EXPECT_TRUE(refuses([&] { io::writeFileAtomically(folder.path(), std::string("x")); }, Kind::unwritable));
}

TEST(AtomicFile, ALinkIsFollowedWhetherItsTargetIsThereOrNot) {
    const Folder folder;
    std::filesystem::create_directory(folder.path() / "sub");
    std::filesystem::create_symlink("sub/real", folder.path() / "link");
    std::filesystem::create_symlink("link", folder.path() / "link to link");
    std::filesystem::create_symlink(folder.path() / "sub" / "real", folder.path() / "absolute");
    std::filesystem::create_symlink("../sub/real", folder.path() / "sub" / "up");
    for (const char* name : {"link", "link to link", "absolute", "sub/up"}) {
        for (const char* text : {"new", "newer"}) {
            io::writeFileAtomically(folder.path() / name, std::string(text));
            EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / name)) << name;
            EXPECT_EQ(readFile(folder.path() / "sub" / "real"), bytesOf(text)) << name;
        }
        std::filesystem::remove(folder.path() / "sub" / "real");
    }
    std::filesystem::create_symlink("loop", folder.path() / "loop");
    EXPECT_TRUE(refuses([&] { io::writeFileAtomically(folder.path() / "loop", std::string("x")); }, Kind::unwritable));
    std::filesystem::create_symlink("gone/file", folder.path() / "nowhere");
    EXPECT_TRUE(
        refuses([&] { io::writeFileAtomically(folder.path() / "nowhere", std::string("x")); }, Kind::unwritable));
}

TEST(AtomicFile, WhatIsNoRegularFileIsRefusedAndStays) {
    const Folder folder;
    const auto fifo = folder.path() / "r.json";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    std::filesystem::create_symlink("r.json", folder.path() / "link");
    // No device of the machine: a program that replaces it would do so here.
    for (const auto& path : {fifo, folder.path() / "link"}) {
        EXPECT_TRUE(refuses([&] { io::writeFileAtomically(path, std::string("x")); }, Kind::unwritable, "plain file"))
            << path;
        EXPECT_TRUE(std::filesystem::is_other(path)) << path;
    }
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
    EXPECT_EQ(folder.entries(), 2U);
}

TEST(AtomicFile, ANameAsLongAsTheFileSystemAllows) {
    const Folder folder;
    for (const std::size_t length : {248, 249, 254, 255}) {
        const auto path = folder.path() / std::string(length, 'n');
        for (const char* text : {"new", "newer"}) io::writeFileAtomically(path, std::string(text));
        EXPECT_EQ(readFile(path), bytesOf("newer")) << length;
    }
    EXPECT_EQ(folder.entries(), 4U);
    // Known before anything is computed, not only when it is named.
    EXPECT_TRUE(refuses([&] { io::AtomicFile(folder.path() / std::string(256, 'n')); }, Kind::unwritable, "shorter"));
}

/// Writes half of a file and is killed.
void killedWhileWriting(const std::filesystem::path& path) {
    const pid_t child = ::fork();
    if (child == 0) {
        io::AtomicFile file(path);
        file.write(bytesOf("half"));
        ::raise(SIGKILL);
    }
    ASSERT_GT(child, 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(AtomicFile, AKilledWriterLeavesNothing) {
    const Folder folder;
    const io::UniqueFd nameless(::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    if (!nameless) GTEST_SKIP() << "this file system has no files without a name";
    killedWhileWriting(folder.path() / "a.txt");
    EXPECT_EQ(folder.entries(), 0U);
}

/// From now on, in this process, no file system has nameless files.
bool forbidNamelessFiles() {
    const auto flags = static_cast<unsigned>(offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t));
    std::array<sock_filter, 6> filter{sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
                                      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags),
                                      sock_filter BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
                                      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
                                      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(AtomicFile, WhatAKilledProcessLeftGoesAndWhatIsWrittenStays) {
    const Folder folder;
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    const auto make = [&](const char* name, bool aged) {
        std::ofstream(folder.path() / name) << "half";
        if (aged) std::filesystem::last_write_time(folder.path() / name, old);
    };
    make(".warplens-12-0", true);
    make(".warplens-12-1", false);
    make(".warplens-12-2", true);
    make(".warplens-notes", true);
    make("warplens-12-0", true);
    const int written = ::open((folder.path() / ".warplens-12-2").c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(written, LOCK_EX), 0);
    io::AtomicFile file(folder.path() / "out.txt");
    ::close(written);
    const auto there = [&](const char* name) { return std::filesystem::exists(folder.path() / name); };
    EXPECT_FALSE(there(".warplens-12-0"));
    EXPECT_TRUE(there(".warplens-12-1")) << "made just now";
    EXPECT_TRUE(there(".warplens-12-2")) << "somebody writes to it";
    EXPECT_TRUE(there(".warplens-notes")) << "no temporary file";
    EXPECT_TRUE(there("warplens-12-0"));
}

TEST(AtomicFile, AFileSystemWithoutNamelessFilesWillDo) {
    const Folder folder;
    io::writeFileAtomically(folder.path() / "a.txt", std::string("old"));
    const pid_t child = ::fork();
    if (child == 0) {
        if (!forbidNamelessFiles()) ::_exit(2);
        try {
            { io::AtomicFile(folder.path() / "a.txt").write(bytesOf("half")); }
            bool good = folder.entries() == 1;
            io::AtomicFile file(folder.path() / "a.txt");
            good &= folder.entries() == 2;
            file.write(bytesOf("new"));
            file.commit();
            ::_exit(good ? 0 : 1);
        } catch (const std::exception&) {
            ::_exit(3);
        }
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(status, 0);
    EXPECT_EQ(readFile(folder.path() / "a.txt"), bytesOf("new"));
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(Write, AnUnknownOrMissingEndingIsRefusedAndLeavesNothing) {
    const Folder folder;
    const auto grid = randomGrid({2, 2, 1, 1}, io::PixelType::u8);
    EXPECT_TRUE(refuses([&] { io::write(grid, folder.path() / "a"); }, Kind::unsupported, ".npy"));
    EXPECT_TRUE(refuses([&] { io::write(io::Grid(), folder.path() / "a.npy"); }, Kind::unwritable, "no picture"));
    EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace warplens::test
