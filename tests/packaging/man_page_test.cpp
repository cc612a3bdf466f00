// SPDX-License-Identifier: Apache-2.0
// The man pages name the commands, options and exit statuses that the programs themselves name, no more and no fewer;
// other documents name none besides.
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace warplens::test {

namespace {

using Names = std::set<std::string>;

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// What `--help` lists: "-o,--output FILE" is "-o" and "--output".
Names helpOptions(const std::string& help) {
    static const std::regex kOption("^  (?:(-[A-Za-z]), ?)?(--[a-z][a-z0-9-]*).*");
    Names names;
    std::smatch match;
    for (const std::string& line : linesOf(help)) {
        if (!std::regex_match(line, match, kOption)) continue;
        names.insert(match[2]);
        if (match[1].matched) names.insert(match[1]);
    }
    return names;
}

std::string helpOf(const std::vector<std::string>& command) {
    std::vector<std::string> asking = command;
    asking.emplace_back("--help");
    const Outcome outcome = runProgram(asking, {{"QT_QPA_PLATFORM", "offscreen"}});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_FALSE(outcome.out.empty());
    return outcome.out;
}

/// The commands that the help of a command lists.
std::vector<std::string> commandsOf(const std::vector<std::string>& command) {
    std::vector<std::string> names;
    bool inside = false;
    for (const std::string& line : linesOf(helpOf(command))) {
        if (line == "Subcommands:") {
            inside = true;
        } else if (inside && line.rfind("  ", 0) == 0) {
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        } else {
            inside = false;
        }
    }
    return names;
}

/// A heading of a page, and what is tagged (.TP) below it.
struct Section {
    std::string chapter, title;
    std::vector<std::string> tags;

    Names options() const {
        static const std::regex kOption("(^|[^A-Za-z0-9-])(--?[A-Za-z][a-z0-9-]*)");
        Names names;
        for (const std::string& tag : tags) {
            for (std::sregex_iterator at(tag.begin(), tag.end(), kOption), end; at != end; ++at) names.insert((*at)[2]);
        }
        return names;
    }
    bool mentions(const std::string& word) const {
        return std::regex_search(title, std::regex("(^|[^a-z-])" + word + "($|[^a-z-])"));
    }
};

std::string unquoted(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    return text;
}

std::vector<Section> sectionsOf(const std::string& page) {
    std::string text = readText(std::string(WARPLENS_MAN_PAGES) + "/" + page);
    EXPECT_FALSE(text.empty()) << page;
    text = std::regex_replace(text, std::regex(R"(\\f[BIRP])"), "");
    text = std::regex_replace(text, std::regex(R"(\\-)"), "-");
    std::vector<Section> sections(1);
    bool tag = false;
    for (const std::string& line : linesOf(text)) {
        if (line.rfind(".SH ", 0) == 0) {
            sections.push_back({unquoted(line.substr(4)), "", {}});
        } else if (line.rfind(".SS ", 0) == 0) {
            sections.push_back({sections.back().chapter, unquoted(line.substr(4)), {}});
        } else if (tag) {
            sections.back().tags.push_back(unquoted(line));
        }
        tag = line == ".TP";
    }
    return sections;
}

Names optionsIn(const std::vector<Section>& sections, const std::string& chapter) {
    Names names;
    for (const Section& section : sections) {
        if (section.chapter == chapter) names.merge(section.options());
    }
    return names;
}

Names without(Names names, const Names& others) {
    for (const std::string& name : others) names.erase(name);
    return names;
}

}  // namespace

TEST(ManPage, ofTheCommandLineNamesEveryCommandWithItsOptions) {
    const std::vector<Section> page = sectionsOf("warplens-cli.1");
    EXPECT_EQ(optionsIn(page, "OPTIONS"), helpOptions(helpOf({WARPLENS_CLI})));

    const std::vector<std::string> names = commandsOf({WARPLENS_CLI});
    ASSERT_GE(names.size(), 6U);
    Names documented;
    for (const Section& section : page) {
        if (section.chapter == "COMMANDS" && !section.title.empty() && section.title.rfind("Options of", 0) != 0)
            documented.insert(section.title.substr(0, section.title.find(' ')));
    }
    EXPECT_EQ(documented, Names(names.begin(), names.end())) << "resources/desktop/man/warplens-cli.1.in";

    for (const std::string& name : names) {
        Names options;
        for (const Section& section : page) {
            const bool own = section.title == name || section.title.rfind(name + " ", 0) == 0;
            const bool shared = section.title.rfind("Options of", 0) == 0 && section.mentions(name);
            if (section.chapter == "COMMANDS" && (own || shared)) options.merge(section.options());
        }
        Names helped = helpOptions(helpOf({WARPLENS_CLI, name}));
        for (const std::string& below : commandsOf({WARPLENS_CLI, name})) {
            helped.merge(helpOptions(helpOf({WARPLENS_CLI, name, below})));
            EXPECT_TRUE(std::ranges::any_of(page,
                                            [&](const Section& section) {
                                                return section.title.rfind(name + " ", 0) == 0 &&
                                                       section.mentions(below);
                                            }))
                << name << " " << below;
        }
        EXPECT_EQ(options, without(helped, {"-h", "--help"}))
            << name << ": change resources/desktop/man/warplens-cli.1.in";
    }
}

TEST(ManPage, ofTheCommandLineNamesItsExitStatuses) {
    Names said;
    const std::string help = helpOf({WARPLENS_CLI});
    const std::string footer = help.substr(help.find("Exit status: ") + 11);
    static const std::regex kStatus("[:;]\\s+([0-9]+) ");
    for (std::sregex_iterator at(footer.begin(), footer.end(), kStatus), end; at != end; ++at) said.insert((*at)[1]);
    ASSERT_GE(said.size(), 6U) << footer;

    Names documented;
    for (const Section& section : sectionsOf("warplens-cli.1")) {
        if (section.chapter != "EXIT STATUS") continue;
        for (const std::string& tag : section.tags) documented.insert(tag.substr(tag.find(' ') + 1));
    }
    EXPECT_EQ(documented, said);
}

#ifdef WARPLENS_WINDOW
TEST(ManPage, ofTheWindowNamesItsOptions) {
    EXPECT_EQ(optionsIn(sectionsOf("warplens.1"), "OPTIONS"), helpOptions(helpOf({WARPLENS_WINDOW})))
        << "change resources/desktop/man/warplens.1.in";
}

/// Of the programs, those with families' options included.
Names optionsThereAre() {
    Names names = helpOptions(helpOf({WARPLENS_WINDOW}));
    names.merge(helpOptions(helpOf({WARPLENS_CLI})));
    for (const Section& section : sectionsOf("warplens-cli.1")) names.merge(section.options());
    return names;
}

TEST(Documents, NameOptionsThatThereAre) {
    namespace fs = std::filesystem;
    const fs::path root = WARPLENS_SOURCE_DIR;
    std::vector<fs::path> documents{root / "README.md"};
    for (const auto& entry : fs::directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") documents.push_back(entry.path());
    const Names known = optionsThereAre();
    static const std::regex kOption("(^|[^A-Za-z0-9-])(--[a-z][a-z0-9-]*)"), kOther("cmake |cpack ");
    int found = 0;
    for (const fs::path& document : documents)
        for (const std::string& line : linesOf(readText(document))) {
            if (std::regex_search(line, kOther)) continue;
            for (std::sregex_iterator at(line.begin(), line.end(), kOption), end; at != end; ++at, ++found)
                EXPECT_TRUE(known.contains((*at)[2])) << document << ": no program has " << (*at)[2];
        }
    EXPECT_GT(found, 50);
}
#endif

}  // namespace warplens::test
