// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_market.hpp"

#include "io/error.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

namespace warplens::io {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

std::string lower(std::string_view word) {
    std::string made(word);
    for (char& letter : made) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return made;
}

/// Lines one after another, numbered from 1, and the words of one.
class Lines {
public:
    Lines(std::string_view text, const std::string& name) : m_rest(text), m_name(name) {}

    /// False at the end.
    bool next() {
        if (m_rest.empty()) return false;
        const auto end = m_rest.find('\n');
        m_line = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        ++m_number;
        return true;
    }
    /// The next line that is neither empty nor a comment. Throws where there is none.
    void nextNumbers(const char* of) {
        while (next()) {
            const auto first = m_line.find_first_not_of(kBlanks);
            if (first != std::string_view::npos && m_line[first] != '%') return;
        }
        throw Error(Error::Kind::unreadable,
                    m_name + ": the file ends before " + of + ": it is cut off; fetch it again");
    }
    /// Empty at the end of the line.
    std::string_view word() {
        const auto first = m_line.find_first_not_of(kBlanks);
        if (first == std::string_view::npos) return {};
        m_line.remove_prefix(first);
        const auto word = m_line.substr(0, m_line.find_first_of(kBlanks));
        m_line.remove_prefix(word.size());
        return word;
    }
    std::size_t bytesLeft() const { return m_rest.size(); }
    Error error(const std::string& what) const {
        return {Error::Kind::unreadable, m_name + ": line " + std::to_string(m_number) + ": " + what};
    }
    std::int64_t integer(const char* what, std::int64_t least, std::int64_t most) {
        const std::string_view text = word();
        const auto value = parseNumber<std::int64_t>(text);
        if (!value || *value < least || *value > most)
            throw error(inQuotes(text) + " is no " + what + ": give a number from " + std::to_string(least) + " to " +
                        std::to_string(most));
        return *value;
    }
    double real() {
        std::string_view text = word();
        const auto value = parseNumber<double>(text.starts_with('+') ? text.substr(1) : text);
        if (!value || !std::isfinite(*value)) throw error(inQuotes(text) + " is no finite number: give one as value");
        return *value;
    }
    void needEnd() {
        if (const std::string_view text = word(); !text.empty())
            throw error(inQuotes(text) + " is one word more than belongs here: take it out");
    }

private:
    std::string_view m_rest, m_line;
    const std::string& m_name;
    std::int64_t m_number = 0;
};

struct Header {
    Field field{};
    Symmetry symmetry{};
};

Header headerOf(Lines& lines, const std::string& name) {
    const auto refuse = [&](const std::string& what) { return Error(Error::Kind::unsupported, name + ": " + what); };
    if (!lines.next() || lower(lines.word()) != "%%matrixmarket" || lower(lines.word()) != "matrix")
        throw Error(Error::Kind::unreadable, name +
                                                 ": does not begin with '%%MatrixMarket matrix': give a Matrix "
                                                 "Market file");
    const std::string format = lower(lines.word()), field = lower(lines.word()), symmetry = lower(lines.word());
    lines.needEnd();
    if (format != "coordinate") throw refuse("format " + inQuotes(format) + ": give it as coordinate");
    Header header;
    if (field == "integer")
        header.field = Field::integer;
    else if (field == "pattern")
        header.field = Field::pattern;
    else if (field != "real" && field != "double")
        throw refuse("values " + inQuotes(field) + ": give real, integer or pattern ones");
    if (symmetry == "symmetric")
        header.symmetry = Symmetry::symmetric;
    else if (symmetry == "skew-symmetric")
        header.symmetry = Symmetry::skew;
    else if (symmetry != "general")
        throw refuse("symmetry " + inQuotes(symmetry) + ": give it as general, symmetric or skew-symmetric");
    return header;
}

}  // namespace

MatrixEntries parseMatrixMarket(std::string_view text, const std::string& name) {
    Lines lines(text, name);
    const Header header = headerOf(lines, name);
    lines.nextNumbers("its size");
    MatrixEntries made;
    made.rows = lines.integer("number of rows", 1, kMost);
    made.columns = lines.integer("number of columns", 1, kMost);
    const std::int64_t listed = lines.integer("number of entries", 0, kMost);
    lines.needEnd();
    if (header.symmetry != Symmetry::general && made.rows != made.columns)
        throw lines.error("a symmetric matrix is square: give as many rows as columns");
    // The shortest entry is "1 1": a header that promises more than the file can hold reserves nothing.
    constexpr std::size_t kLeastBytes = 3;
    if (static_cast<std::size_t>(listed) > lines.bytesLeft() / kLeastBytes + 1)
        throw lines.error(std::to_string(listed) + " entries do not fit the " + std::to_string(lines.bytesLeft()) +
                          " bytes that follow: the file is cut off; fetch it again");
    made.entries.reserve(static_cast<std::size_t>(header.symmetry == Symmetry::general ? listed : 2 * listed));
    for (std::int64_t i = 0; i < listed; ++i) {
        lines.nextNumbers("its last entry");
        const auto row = static_cast<std::int32_t>(lines.integer("row", 1, made.rows) - 1);
        const auto column = static_cast<std::int32_t>(lines.integer("column", 1, made.columns) - 1);
        const double value = header.field == Field::pattern ? 1 : lines.real();
        lines.needEnd();
        if (header.symmetry != Symmetry::general && column > row)
            throw lines.error("an entry above the diagonal of a symmetric matrix: give the lower half alone");
        if (header.symmetry == Symmetry::skew && column == row)
            throw lines.error("an entry on the diagonal of a skew-symmetric matrix: leave it out");
        made.entries.push_back({row, column, value});
        if (header.symmetry != Symmetry::general && column != row)
            made.entries.push_back({column, row, header.symmetry == Symmetry::skew ? -value : value});
    }
    if (static_cast<std::int64_t>(made.entries.size()) > kMost)
        throw Error(Error::Kind::limit, name + ": 2^31 entries or more: places have 32 bits");
    while (lines.next())
        if (const std::string_view rest = lines.word(); !rest.empty() && rest.front() != '%')
            throw lines.error("more entries than the " + std::to_string(listed) + " that the header lists");
    return made;
}

}  // namespace warplens::io
