// SPDX-License-Identifier: Apache-2.0
#include "io/picture_series.hpp"

#include "io/error.hpp"
#include "io/in_space.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace warplens::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1 << 20;

[[noreturn]] void refuse(const std::string& input, const std::string& what) {
    throw Error(Error::Kind::argument,
                input + ": " + what + ": put one run of # where the numbers are, as in series:folder/slice-###.png");
}

/// "slice-###.png" as what stands before and behind the number, and how many digits it has at least.
struct Pattern {
    std::string before, behind;
    std::size_t digits = 1;

    /// The number in a name that fits.
    std::optional<std::int64_t> numberIn(const std::string& name) const {
        if (name.size() < before.size() + digits + behind.size() || !name.starts_with(before) ||
            !name.ends_with(behind)) {
            return std::nullopt;
        }
        const auto text = std::string_view(name).substr(before.size(), name.size() - before.size() - behind.size());
        if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
        // More digits than asked for only where the number needs them, so that no number has two names.
        if (text.size() > digits && text.front() == '0') return std::nullopt;
        return parseNumber<std::int64_t>(text);
    }
    std::string nameOf(std::int64_t number) const {
        auto text = std::to_string(number);
        if (text.size() < digits) text.insert(0, digits - text.size(), '0');
        return before + text + behind;
    }
};

Pattern parsePattern(const std::string& input, const std::string& name) {
    Pattern pattern;
    auto begin = name.find('#');
    auto end = begin;
    if (begin != std::string::npos) {
        end = std::min(name.find_first_not_of('#', begin), name.size());
        pattern.digits = end - begin;
    } else {
        begin = name.find('%');
        if (begin == std::string::npos) refuse(input, "no place for the numbers");
        end = std::min(name.find_first_not_of("0123456789", begin + 1), name.size());
        if (end == name.size() || name[end] != 'd') refuse(input, "a % that is not followed by d");
        const auto width = std::string_view(name).substr(begin + 1, end - begin - 1);
        if (!width.empty() && width.front() != '0') refuse(input, "numbers padded with blanks");
        pattern.digits = std::max<std::size_t>(parseNumber<std::size_t>(width).value_or(1), 1);
        ++end;
    }
    pattern.before = name.substr(0, begin);
    pattern.behind = name.substr(end);
    if (pattern.behind.find_first_of("#%") != std::string::npos) refuse(input, "several places for numbers");
    if (pattern.digits > 18) refuse(input, "numbers that are too long");
    return pattern;
}

/// Slices read by several threads, each waiting for a codec of its own, into their places in the volume.
class Slices {
public:
    Slices(const std::vector<std::string>& files, ReadOptions each, Grid& volume)
        : m_files(files), m_each(std::move(each)), m_volume(volume) {}

    /// Reads all but the first. Throws what the earliest of the files that failed threw.
    void read(const std::function<void(double)>& progress) {
        const auto most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostReaders);
        m_busy = std::min(most, m_files.size() - 1);
        std::vector<std::jthread> readers;
        for (std::size_t i = m_busy; i > 0; --i) readers.emplace_back([this] { work(); });
        std::unique_lock lock(m_mutex);
        for (std::size_t told = 0; m_busy > 0 || told != m_done;) {
            m_changed.wait(lock, [&] { return m_done != told || m_busy == 0; });
            told = m_done;
            lock.unlock();
            if (progress) progress(static_cast<double>(told + 1) / static_cast<double>(m_files.size()));
            lock.lock();
        }
        if (!m_failures.empty()) std::rethrow_exception(m_failures.begin()->second);
    }

private:
    static constexpr std::size_t kMostReaders = 8;

    void work() {
        std::unique_lock lock(m_mutex);
        // After a failure those before it still go to their end: the first file that is wrong is the one to name.
        while (m_next < m_files.size() && m_failures.empty()) {
            const std::size_t i = m_next++;
            lock.unlock();
            std::exception_ptr failure;
            try {
                place(i);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            if (failure)
                m_failures.emplace(i, failure);
            else
                ++m_done;
            m_changed.notify_one();
        }
        --m_busy;
        m_changed.notify_one();
    }
    void place(std::size_t i) {
        const auto slice = io::read(m_files[i], m_each);
        auto alike = slice.shape();
        alike.depth = m_volume.shape().depth;
        if (!(alike == m_volume.shape()) || slice.shape().depth != 1 || slice.type() != m_volume.type() ||
            slice.metadata.sourceType != m_volume.metadata.sourceType) {
            throw Error(Error::Kind::unsupported, m_files[i] + ": another size or type than " + m_files.front() +
                                                      ": the slices of a volume have to agree");
        }
        std::memcpy(m_volume.data() + i * slice.bytes(), slice.data(), slice.bytes());
    }

    const std::vector<std::string>& m_files;
    ReadOptions m_each;
    Grid& m_volume;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_next = 1, m_done = 0, m_busy = 0;
    std::map<std::size_t, std::exception_ptr> m_failures;  ///< by the file's place
};

}  // namespace

bool isPictureSeries(const std::string& input) { return input.starts_with("series:"); }

std::vector<std::string> filesOfSeries(const std::string& input) {
    const fs::path path = input.substr(std::strlen("series:"));
    const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const auto pattern = parsePattern(input, path.filename().string());
    std::set<std::int64_t> numbers;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        if (const auto number = pattern.numberIn(at->path().filename().string())) numbers.insert(*number);
        if (numbers.size() > kMostFiles) {
            throw Error(Error::Kind::limit, input + ": more than " + std::to_string(kMostFiles) + " files: take fewer");
        }
    }
    if (failed) {
        throw Error(Error::Kind::unreadable,
                    folder.string() + ": the folder cannot be listed (" + failed.message() + "): check the name");
    }
    if (numbers.empty()) {
        throw Error(Error::Kind::unreadable, input + ": no file in the folder has such a name: check the pattern");
    }
    std::vector<std::string> files;
    auto expected = *numbers.begin();
    for (const auto number : numbers) {
        if (number != expected) {
            throw Error(Error::Kind::unreadable, input + ": " + pattern.nameOf(expected) + " is missing before " +
                                                     pattern.nameOf(number) + ": add it, or renumber the files");
        }
        files.push_back((folder / pattern.nameOf(number)).string());
        ++expected;
    }
    return files;
}

Grid readPictureSeries(const std::string& input, const ReadOptions& options) {
    const auto files = filesOfSeries(input);
    ReadOptions each = options;
    each.progress = {};
    each.toFloat = false;  // the volume as a whole is converted, once
    auto first = read(files.front(), each);
    auto shape = first.shape();
    if (shape.depth != 1) {
        throw Error(Error::Kind::unsupported,
                    files.front() + ": a volume cannot be a slice of a series: open it alone");
    }
    shape.depth = static_cast<std::int64_t>(files.size());
    options.limits.check(shape, first.type(), input);
    Grid volume(shape, first.type());
    volume.metadata = first.metadata;
    if (hasGeometry(first.geometry)) {
        std::copy_n(first.geometry.spacing.begin(), 2, volume.geometry.spacing.begin());
        volume.metadata.notes.emplace_back("no distance of slices in the files: 1 mm is assumed");
    }
    volume.metadata.format = "series of " + first.metadata.format;
    std::memcpy(volume.data(), first.data(), first.bytes());
    first = Grid();
    if (options.progress) options.progress(1.0 / static_cast<double>(files.size()));
    if (files.size() > 1) Slices(files, each, volume).read(options.progress);
    return volume;
}

}  // namespace warplens::io
