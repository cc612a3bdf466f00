// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/cuda_highlighter.hpp"

#include "gui/kit/theme/tokens.hpp"

#include <QSet>
#include <QTextCursor>
#include <QTextDocument>
#include <algorithm>

namespace warplens::gui {

namespace {

QSet<QString> wordsOf(const char* text) {
    const QStringList words = QString::fromLatin1(text).split(u' ');
    return {words.begin(), words.end()};
}

const QSet<QString>& keywords() {
    static const QSet<QString> words = wordsOf(
        "alignas alignof auto break case catch class concept const const_cast consteval constexpr constinit "
        "continue decltype default delete do dynamic_cast else enum explicit extern false final for friend "
        "goto if inline mutable namespace new noexcept nullptr operator override private protected public "
        "reinterpret_cast requires return sizeof static static_assert static_cast struct switch template this "
        "throw true try typedef typename union using virtual volatile while __global__ __device__ __host__ "
        "__shared__ __constant__ __restrict__ __forceinline__ __launch_bounds__ __noinline__ __managed__ "
        "__kernel __global __local __constant __private");
    return words;
}

const QSet<QString>& types() {
    static const QSet<QString> words = wordsOf(
        "void bool char short int long float double signed unsigned size_t ptrdiff_t int8_t int16_t int32_t "
        "int64_t uint8_t uint16_t uint32_t uint64_t dim3 float2 float3 float4 int2 int3 int4 uint2 uint3 "
        "uint4 uchar4 uchar ushort uint ulong");
    return words;
}

bool wordBegins(QChar c) { return c.isLetter() || c == u'_'; }

bool wordGoesOn(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

/// Our own types are in CamelCase; so are View and Border of the kernels. One capital letter is a template parameter.
bool looksLikeType(const QString& word) {
    if (!word.front().isUpper()) return false;
    for (const QChar c : word) {
        if (c.isLower()) return true;
    }
    return word.size() == 1;
}

QList<QColor> coloursOfCode() {
    QList<QColor> colours;
    for (const Role role : {Role::comment, Role::number, Role::keyword, Role::type, Role::call})
        colours << colour(role);
    return colours;
}

}  // namespace

CudaHighlighter::CudaHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void CudaHighlighter::retint() {
    if (document() == nullptr || m_written == coloursOfCode()) return;
    // As one edit, which lays the text out once; rehighlight() lays it out again for every line.
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.mergeCharFormat({});
}

// A scanner of one line rather than a list of patterns: each character is looked at once.
void CudaHighlighter::highlightBlock(const QString& text) {
    enum State { kCode = 0, kComment = 1 };
    const qsizetype size = text.size();
    const auto mark = [this](qsizetype from, qsizetype to, Role role) {
        setFormat(static_cast<int>(from), static_cast<int>(to - from), colour(role));
    };
    setCurrentBlockState(kCode);
    if (currentBlock().blockNumber() == 0) m_written = coloursOfCode();  // the rest follows
    qsizetype at = 0;
    const auto blockComment = [&](qsizetype from, qsizetype searchFrom) {
        const qsizetype end = text.indexOf(QStringLiteral("*/"), searchFrom);
        at = end < 0 ? size : end + 2;
        if (end < 0) setCurrentBlockState(kComment);
        mark(from, at, Role::comment);
    };
    if (previousBlockState() == kComment) blockComment(0, 0);

    while (at < size) {
        const QChar c = text[at];
        const QStringView rest = QStringView(text).mid(at);
        const qsizetype from = at;
        if (rest.startsWith(QStringLiteral("//"))) {
            mark(at, size, Role::comment);
            return;
        }
        if (rest.startsWith(QStringLiteral("/*"))) {
            blockComment(from, at + 2);
        } else if (c == u'"' || c == u'\'') {
            for (++at; at < size && text[at] != c; ++at) {
                if (text[at] == u'\\') ++at;
            }
            at = std::min(at + 1, size);
            mark(from, at, Role::number);
        } else if (c == u'#' && QStringView(text).left(at).trimmed().isEmpty()) {
            // A directive is colourless grammar around the code, as a comment is; OpenACC's are what its code is about.
            const qsizetype comment = text.indexOf(QStringLiteral("//"), at);
            mark(from, comment < 0 ? size : comment,
                 rest.startsWith(QStringLiteral("#pragma acc")) ? Role::keyword : Role::comment);
            at = comment < 0 ? size : comment;
        } else if (c.isDigit() || (c == u'.' && at + 1 < size && text[at + 1].isDigit())) {
            while (at < size &&
                   (wordGoesOn(text[at]) || text[at] == u'.' || text[at] == u'\'' ||
                    ((text[at] == u'+' || text[at] == u'-') && (text[at - 1] == u'e' || text[at - 1] == u'E')))) {
                ++at;
            }
            mark(from, at, Role::number);
        } else if (wordBegins(c)) {
            while (at < size && wordGoesOn(text[at])) ++at;
            const QString word = text.mid(from, at - from);
            qsizetype next = at;
            while (next < size && text[next].isSpace()) ++next;
            if (keywords().contains(word)) {
                mark(from, at, Role::keyword);
            } else if (types().contains(word) || looksLikeType(word)) {
                mark(from, at, Role::type);
            } else if (next < size && text[next] == u'(') {
                mark(from, at, Role::call);
            }
        } else {
            ++at;
        }
    }
}

}  // namespace warplens::gui
