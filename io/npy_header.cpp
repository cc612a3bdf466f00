// SPDX-License-Identifier: Apache-2.0
#include "io/npy_header.hpp"

#include "io/error.hpp"

#include <charconv>
#include <string_view>

namespace warplens::io {
namespace {

/// A reader of the few Python literals that NumPy writes.
class LiteralParser {
public:
    LiteralParser(std::string_view text, const std::string& where) : m_text(text), m_where(where) {}

    [[noreturn]] void fail(const char* what) const {
        throw Error(Error::Kind::unreadable,
                    m_where + ": damaged NPY header (" + what + "): save the array again with numpy.save");
    }
    /// Skips blanks, then takes the character if it comes next.
    bool accept(char c) {
        while (!m_text.empty() && (m_text[0] == ' ' || m_text[0] == '\t' || m_text[0] == '\n')) m_text.remove_prefix(1);
        if (m_text.empty() || m_text[0] != c) return false;
        m_text.remove_prefix(1);
        return true;
    }
    void expect(char c, const char* what) {
        if (!accept(c)) fail(what);
    }
    std::string string() {
        const char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
        if (quote == '\0') fail("a quoted word is missing");
        const auto end = m_text.find(quote);
        if (end == std::string_view::npos) fail("a quote is not closed");
        std::string value(m_text.substr(0, end));
        m_text.remove_prefix(end + 1);
        return value;
    }
    bool boolean() {
        accept('\0');  // skips blanks
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
            if (m_text.substr(0, word.size()) == word) {
                m_text.remove_prefix(word.size());
                return value;
            }
        }
        fail("True or False is missing");
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> values;
        expect('(', "the shape is not a tuple");
        while (!accept(')')) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value);
            if (error != std::errc()) fail("the shape holds something other than a 64-bit number");
            if (values.size() == 32) fail("more than 32 axes");
            m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
            values.push_back(value);
            if (!accept(',')) {
                expect(')', "the shape is not closed");
                break;
            }
            accept('\0');
        }
        return values;
    }
    bool atEnd() {
        accept('\0');
        return m_text.empty();
    }

private:
    std::string_view m_text;
    const std::string& m_where;
};

}  // namespace

NpyHeader parseNpyHeader(const std::string& text, const std::string& where) {
    LiteralParser parser(text, where);
    NpyHeader header;
    bool descr = false;
    bool order = false;
    bool shape = false;
    parser.expect('{', "no dictionary");
    while (!parser.accept('}')) {
        const auto key = parser.string();
        parser.expect(':', "a colon is missing");
        if (key == "descr" && !descr) {
            if (parser.accept('[')) {
                throw Error(Error::Kind::unsupported,
                            where + ": a structured dtype is not a picture: save one of its fields on its own");
            }
            header.dtype = parser.string();
            descr = true;
        } else if (key == "fortran_order" && !order) {
            header.fortranOrder = parser.boolean();
            order = true;
        } else if (key == "shape" && !shape) {
            header.shape = parser.tuple();
            shape = true;
        } else {
            parser.fail("an unknown or repeated key");
        }
        if (!parser.accept(',')) {
            parser.expect('}', "the dictionary is not closed");
            break;
        }
    }
    if (!descr || !order || !shape) parser.fail("descr, fortran_order or shape is missing");
    if (!parser.atEnd()) parser.fail("something follows the dictionary");
    return header;
}

std::string formatNpyHeader(const NpyHeader& header) {
    const std::string quote = header.dtype.starts_with('[') ? "" : "'";
    std::string text = "{'descr': " + quote + header.dtype + quote +
                       ", 'fortran_order': " + (header.fortranOrder ? "True" : "False") + ", 'shape': (";
    for (const auto extent : header.shape) text += std::to_string(extent) + ", ";
    text.resize(text.size() - (header.shape.size() > 1 ? 2 : 1));  // one axis keeps its comma
    text += "), }";
    constexpr std::size_t kPreamble = 10;
    const std::size_t padded = (kPreamble + text.size() + 1 + 63) / 64 * 64;
    text.resize(padded - kPreamble - 1, ' ');
    text += '\n';
    const auto length = text.size();
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8) +
           text;
}

}  // namespace warplens::io
