// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include "io/write.hpp"
#include "tests/io/support/files.hpp"

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

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
        EXPECT_EQ(folder.entries(), 2U);
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
    EXPECT_TRUE(refuses([&] { io::write(grid, path); }, Kind::unwritable, "a.npy"));
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

TEST(AtomicFile, ALinkIsWrittenThrough) {
    const Folder folder;
    io::writeFileAtomically(folder.path() / "real", std::string("old"));
    std::filesystem::create_symlink("real", folder.path() / "link");
    io::writeFileAtomically(folder.path() / "link", std::string("new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
    EXPECT_EQ(readFile(folder.path() / "real"), bytesOf("new"));
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
