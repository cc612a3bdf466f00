// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/kept_texts.hpp"

#include "io/error.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

namespace warplens::gpu::user {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::int64_t kMostBytes = 8 << 20;
constexpr const char *kDraft = ".draft", *kVersion = ".cuh";

/// Regular files of a folder that end so, by their names.
std::vector<fs::path> filesIn(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (entry.path().extension() == ending && entry.is_regular_file(none)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// "20261130-014740-123", local time.
std::string stampNow() {
    using namespace std::chrono;
    const auto now = system_clock::now();
    const std::time_t seconds = system_clock::to_time_t(now);
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y%m%d-%H%M%S-", &parts);
    const auto thousandths = duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000;
    return text + std::to_string(1000 + thousandths).substr(1);
}

/// The same for people, or empty where it is no such name.
std::string titleOf(const std::string& stem) {
    constexpr const char* kShape = "00000000-000000-000 ";
    for (std::size_t i = 0; kShape[i] != '\0'; ++i) {
        const char c = i < stem.size() ? stem[i] : '\0';
        if (kShape[i] == '0' ? c < '0' || c > '9' : c != kShape[i]) return {};
    }
    const auto part = [&](std::size_t at, std::size_t size) { return stem.substr(at, size); };
    return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + " " + part(9, 2) + ":" + part(11, 2) + ":" + part(13, 2) +
           "  " + stem.substr(20);
}

}  // namespace

bool KeptTexts::own(const fs::path& file) {
    io::UniqueFd lock(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    // The system takes it back when its program is killed.
    if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return false;
    m_draft = file;
    m_lock = std::move(lock);
    return true;
}

fs::path KeptTexts::draftFile() {
    if (m_folder.empty() || !m_draft.empty()) return m_draft;
    std::error_code none;
    fs::create_directories(m_folder, none);
    // One program may write several, as tests do.
    static std::atomic<int> drafts = 0;
    const fs::path file = m_folder / (std::to_string(::getpid()) + "-" + std::to_string(++drafts) + kDraft);
    if (!own(file)) m_draft = file;  // where nothing can be locked it is kept all the same
    return m_draft;
}

void KeptTexts::write(const fs::path& file, const Draft& draft) {
    const Json json{{"path", draft.path}, {"saved", draft.saved}, {"text", draft.text}};
    io::writeFileAtomically(file, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<KeptTexts::Draft> KeptTexts::takeUp() {
    auto files = filesIn(m_folder, kDraft);
    std::error_code none;
    std::ranges::stable_sort(files, std::greater{},
                             [&](const fs::path& file) { return fs::last_write_time(file, none); });
    for (const fs::path& file : files) {
        if (!own(file)) continue;
        try {
            const Json json = Json::parse(io::readText(file.string(), kMostBytes));
            return Draft{json.value("path", ""), json.value("saved", ""), json.at("text").get<std::string>()};
        } catch (const std::exception&) {
            m_draft.clear();  // none of ours
            m_lock.reset();
        }
    }
    return std::nullopt;
}

std::vector<KeptTexts::Version> KeptTexts::versions() const {
    std::vector<Version> all;
    if (m_folder.empty()) return all;
    for (const fs::path& file : filesIn(m_folder / "versions", kVersion))
        if (const std::string title = titleOf(file.stem().string()); !title.empty()) all.push_back({file, title});
    std::ranges::reverse(all);
    return all;
}

void KeptTexts::keep(const std::string& text, const std::string& name, const std::string& state) {
    if (m_folder.empty() || text == m_last) return;
    m_last = text;
    const fs::path folder = m_folder / "versions";
    std::error_code none;
    fs::create_directories(folder, none);
    io::writeFileAtomically(folder / (stampNow() + " " + fs::path(name).stem().string() + " " + state + kVersion),
                            text);
    const auto all = versions();
    for (std::size_t i = kMostVersions; i < all.size(); ++i) fs::remove(all[i].file, none);
}

}  // namespace warplens::gpu::user
