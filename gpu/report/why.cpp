// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/why.hpp"

#include "gpu/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace warplens::gpu {
namespace {

constexpr double kSectorBytes = 32, kLanes = 32;
/// Less than that is no news.
constexpr double kMoved = 0.01;

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/// Global and shared atomics taken together.
AccessCount atomics(const Counters& c) {
    AccessCount sum = c.globalAtomics;
    sum.requests += c.sharedAtomics.requests;
    sum.lanes += c.sharedAtomics.lanes;
    sum.words += c.sharedAtomics.words;
    return sum;
}

std::string number(WhyFigure figure, double value) {
    switch (figure) {
        case WhyFigure::loadSectors:
        case WhyFigure::textureSectors:
        case WhyFigure::storeSectors:
        case WhyFigure::sharedWavefronts:
        case WhyFigure::globalAtomics:
        case WhyFigure::sharedAtomics:
        case WhyFigure::flops:
        case WhyFigure::threads:
        case WhyFigure::barriers: return withCommas(std::llround(value));
        case WhyFigure::usefulLoadShare:
        case WhyFigure::usefulStoreShare:
        case WhyFigure::idleThreadShare: return fmt::format("{:.1f} %", std::round(1000 * value) / 10);
        case WhyFigure::time: return threeDigits(value) + " ms";
        default: return threeDigits(value);
    }
}

/// Builds one sentence about a rung and its predecessor.
class Writer {
public:
    Writer(WhyClaim claim, const WhyVariant& rung, const WhyVariant* before) : m_rung(rung), m_before(before) {
        m_sentence.claim = claim;
    }
    Writer& say(const std::string& words) {
        m_sentence.pieces.push_back({.text = words});
        return *this;
    }
    Writer& name(const Variant& variant) {
        m_sentence.pieces.push_back({.text = variant.id, .strong = true});
        return *this;
    }
    Writer& count(WhyFigure figure) { return put(figure, valueOf(figure, *m_rung.counters), Origin::counted, false); }
    Writer& before(WhyFigure figure) {
        return put(figure, valueOf(figure, *m_before->counters), Origin::counted, true);
    }
    Writer& put(WhyFigure figure, double value, Origin origin, bool predecessor) {
        m_sentence.pieces.push_back({number(figure, value), figure, origin, predecessor, true});
        return *this;
    }
    WhySentence end() { return std::move(m_sentence); }

private:
    const WhyVariant& m_rung;
    const WhyVariant* m_before;
    WhySentence m_sentence;
};

bool moved(double before, double now) {
    const double larger = std::max(before, now);
    return larger > 0 && std::fabs(now - before) >= kMoved * larger;
}

/// What a figure counts, as a verb and its object.
struct MetricPhrase {
    WhyFigure figure;
    const char *verb, *what;
};
constexpr MetricPhrase kAsked[] = {
    {WhyFigure::loadSectors, "loads ", " sectors of 32 bytes from global memory"},
    {WhyFigure::textureSectors, "fetches ", " sectors of 32 bytes through textures"},
    {WhyFigure::globalAtomics, "does ", " atomic additions in global memory"},
    {WhyFigure::sharedAtomics, "does ", " atomic additions in shared memory"},
    {WhyFigure::sharedWavefronts, "uses ", " shared-memory wavefronts"},
    {WhyFigure::flops, "does ", " floating-point operations"},
    {WhyFigure::storeSectors, "stores ", " sectors of 32 bytes to global memory"},
};

/// The figure that moved by the largest factor downwards (`fell`) or upwards; loads from global memory come first where
/// they moved at all. Null: none.
const MetricPhrase* mostMoved(const Counters& before, const Counters& now, bool fell) {
    const MetricPhrase* best = nullptr;
    double most = 0;
    for (const MetricPhrase& asked : kAsked) {
        const double old = valueOf(asked.figure, before), value = valueOf(asked.figure, now);
        if (!moved(old, value) || (value < old) != fell) continue;
        if (asked.figure == WhyFigure::loadSectors) return &asked;
        const double factor = fell ? ratio(old, std::max(value, 1.0)) : ratio(value, std::max(old, 1.0));
        if (factor <= most) continue;
        most = factor;
        best = &asked;
    }
    return best;
}

/// ": each input value is loaded ... times instead of ..." where that, or the width of a request, explains the sectors.
void because(Writer& writer, const Counters& before, const Counters& now, bool fell) {
    const auto follows = [&](WhyFigure figure) {
        const double old = valueOf(figure, before), value = valueOf(figure, now);
        return old > 0 && value > 0 && moved(old, value) && (value < old) == fell;
    };
    if (follows(WhyFigure::reuse)) {
        writer.say(": each input value is loaded ")
            .count(WhyFigure::reuse)
            .say(" times instead of ")
            .before(WhyFigure::reuse);
    } else if (follows(WhyFigure::sectorsPerLoad)) {
        writer.say(": a load request touches ")
            .count(WhyFigure::sectorsPerLoad)
            .say(" sectors instead of ")
            .before(WhyFigure::sectorsPerLoad);
    }
    writer.say(".");
}

void changes(const WhyVariant& rung, const WhyVariant& before, std::vector<WhySentence>& sentences) {
    const Counters &old = *before.counters, &now = *rung.counters;
    const MetricPhrase* saved = mostMoved(old, now, true);
    const MetricPhrase* added = mostMoved(old, now, false);
    if (saved == nullptr && added == nullptr) {
        sentences.push_back(Writer(WhyClaim::same, rung, &before)
                                .say("Its counts are those of ")
                                .name(*before.variant)
                                .say(": none changed by one percent or more.")
                                .end());
        return;
    }
    if (saved != nullptr) {
        Writer writer(WhyClaim::saves, rung, &before);
        writer.say(std::string("It ") + saved->verb)
            .count(saved->figure)
            .say(std::string(saved->what) + " where ")
            .name(*before.variant)
            .say(std::string(" ") + saved->verb)
            .before(saved->figure);
        if (saved->figure == WhyFigure::loadSectors)
            because(writer, old, now, true);
        else
            writer.say(".");
        sentences.push_back(writer.end());
    }
    if (added != nullptr) {
        Writer writer(WhyClaim::adds, rung, &before);
        writer.say(std::string(saved != nullptr ? "In return it " : "It ") + added->verb)
            .count(added->figure)
            .say(added->what);
        if (valueOf(added->figure, old) > 0)
            writer.say(" where ").name(*before.variant).say(std::string(" ") + added->verb).before(added->figure);
        else
            writer.say(" where ").name(*before.variant).say(std::string(" ") + added->verb + "none");
        if (added->figure == WhyFigure::loadSectors)
            because(writer, old, now, false);
        else
            writer.say(".");
        sentences.push_back(writer.end());
    }
}

void times(const WhyVariant& rung, const WhyVariant& before, std::vector<WhySentence>& sentences) {
    if (!rung.time || !before.time || rung.time->origin != before.time->origin) return;
    const Timing &now = rung.time->time, &old = before.time->time;
    if (now.clock != Clock::device) return;
    const Verdict verdict = judge(now, old);
    if (verdict == Verdict::undecided) return;
    const WhyClaim claim = verdict == Verdict::faster   ? WhyClaim::saves
                           : verdict == Verdict::slower ? WhyClaim::adds
                                                        : WhyClaim::same;
    const char* says = verdict == Verdict::faster   ? "It is faster: "
                       : verdict == Verdict::slower ? "It is slower: "
                                                    : "It is no faster: ";
    sentences.push_back(Writer(claim, rung, &before)
                            .say(says)
                            .put(WhyFigure::time, now.medianMs, rung.time->origin, false)
                            .say(" against ")
                            .put(WhyFigure::time, old.medianMs, before.time->origin, true)
                            .say(".")
                            .end());
}

void bound(const WhyVariant& rung, const WhyCeilings& ceilings, std::vector<WhySentence>& sentences) {
    const double intensity = rung.counters->operationsPerByte;
    if (!(ceilings.limits.copyGbs > 0) || !(ceilings.limits.fmaTflops > 0) || !(rung.counters->flops > 0)) return;
    Writer writer(WhyClaim::bound, rung, nullptr);
    writer.say("It does ").count(WhyFigure::operationsPerByte);
    if (rung.counters->matrixOperations > rung.counters->flops) {
        // What bounds it was not measured: no sentence on a limit.
        sentences.push_back(writer
                                .say(" operations per byte that its threads load, most of them in matrix products: "
                                     "tensor cores have a higher ceiling than the FMA units.")
                                .end());
        return;
    }
    const double balance = 1000 * ceilings.limits.fmaTflops / ceilings.limits.copyGbs;
    writer.say(" operations per byte that its threads load; the machine balance of the " + ceilings.device + " is ")
        .put(WhyFigure::balance, balance, ceilings.origin, false);
    sentences.push_back(
        writer.say(intensity < balance ? ": memory and caches limit it, not arithmetic." : ": arithmetic may limit it.")
            .end());
}

/// Of the threads of a block that stages what lies around its results, the share that only loads; 0 where all write.
double loadingShare(const WhyVariant& rung) {
    const auto& f = rung.footprint;
    if (!f || !f->staged || (f->tileWidth >= f->blockWidth && f->tileHeight >= f->blockHeight)) return 0;
    return 1 - ratio(static_cast<double>(f->tileWidth) * f->tileHeight,
                     static_cast<double>(f->blockWidth) * f->blockHeight);
}

/// How bad a waste is, 0..1, and what to say of it.
struct Waste {
    double share;
    WhySentence sentence;
};

void wastes(const WhyVariant& rung, std::vector<WhySentence>& sentences) {
    const Counters& c = *rung.counters;
    const auto value = [&](WhyFigure figure) { return valueOf(figure, c); };
    const auto write = [&] { return Writer(WhyClaim::wastes, rung, nullptr); };
    std::vector<Waste> found;
    if (const double idle = value(WhyFigure::idleThreadShare); idle >= 0.03) {
        Writer writer = write();
        writer.say("Of its ")
            .count(WhyFigure::threads)
            .say(" threads ")
            .count(WhyFigure::idleThreadShare)
            .say(" write no result");
        if (const double loading = loadingShare(rung); loading > 0) {
            writer.say(": those in the halo of a block only load what the others need");
            // Of a block with a depth the tile's is not known here.
            const bool flat = std::ranges::all_of(c.kernels, [](const KernelCounters& k) { return k.block[2] == 1; });
            if (flat && idle > loading + kMoved) writer.say(", and some lie outside the picture");
        }
        found.push_back({idle, writer.say(".").end()});
    }
    if (const double useful = value(WhyFigure::usefulLoadShare); c.globalLoad.sectors > 0 && useful < 0.9) {
        Writer writer = write();
        writer.say("Its global load efficiency is ")
            .count(WhyFigure::usefulLoadShare)
            .say(": a load request touches ")
            .count(WhyFigure::sectorsPerLoad);
        if (value(WhyFigure::idealSectors) > 1 + kMoved)
            writer.say(" sectors where ").count(WhyFigure::idealSectors).say(" would do.");
        else if (value(WhyFigure::sectorsPerLoad) > 1 + kMoved)
            writer.say(" sectors where one would do.");
        else
            writer.say(" sector and uses a part of it.");
        found.push_back({1 - useful, writer.end()});
    }
    if (const double useful = value(WhyFigure::usefulStoreShare); c.globalStore.sectors > 0 && useful < 0.9) {
        found.push_back({(1 - useful) / 2, write()
                                               .say("Its global store efficiency is ")
                                               .count(WhyFigure::usefulStoreShare)
                                               .say(": it does not write all bytes of its sectors.")
                                               .end()});
    }
    if (const double passes = value(WhyFigure::passesPerShared); passes > 1.05) {
        found.push_back({1 - 1 / passes, write()
                                             .say("A shared-memory request takes ")
                                             .count(WhyFigure::passesPerShared)
                                             .say(" wavefronts; the least is one.")
                                             .end()});
    }
    if (const double lanes = value(WhyFigure::lanesPerAddress); lanes > 1.2) {
        found.push_back({1 - 1 / lanes, write()
                                            .say("In an atomic request ")
                                            .count(WhyFigure::lanesPerAddress)
                                            .say(" lanes add to the same address, on average.")
                                            .end()});
    }
    const bool said = std::ranges::any_of(sentences, [](const WhySentence& sentence) {
        return std::ranges::any_of(sentence.pieces, [](const WhyPiece& piece) {
            return piece.figure == WhyFigure::reuse && !piece.predecessor;
        });
    });
    if (const double reuse = value(WhyFigure::reuse); reuse > 1.5 && !said) {
        found.push_back({1 - 1 / reuse, write()
                                            .say("It still loads each input value ")
                                            .count(WhyFigure::reuse)
                                            .say(" times from global memory.")
                                            .end()});
    }
    if (const double lanes = value(WhyFigure::activeLanes); lanes > 0 && lanes < 30) {
        found.push_back({1 - lanes / kLanes, write()
                                                 .say("On average ")
                                                 .count(WhyFigure::activeLanes)
                                                 .say(" of the 32 threads of a warp are active.")
                                                 .end()});
    }
    std::ranges::stable_sort(found, [](const Waste& a, const Waste& b) { return a.share > b.share; });
    const std::size_t room = sentences.size() < 2 ? 2 : 1;
    for (std::size_t i = 0; i < std::min(room, found.size()); ++i) sentences.push_back(std::move(found[i].sentence));
}

}  // namespace

double valueOf(WhyFigure figure, const Counters& c) {
    switch (figure) {
        case WhyFigure::loadSectors: return static_cast<double>(c.globalLoad.sectors);
        case WhyFigure::sectorsPerLoad:
            return ratio(static_cast<double>(c.globalLoad.sectors), static_cast<double>(c.globalLoad.requests));
        case WhyFigure::idealSectors:
            return ratio(static_cast<double>(c.globalLoad.usefulBytes),
                         kSectorBytes * static_cast<double>(c.globalLoad.requests));
        case WhyFigure::usefulLoadShare:
            return ratio(static_cast<double>(c.globalLoad.usefulBytes),
                         kSectorBytes * static_cast<double>(c.globalLoad.sectors));
        case WhyFigure::textureSectors: return static_cast<double>(c.texture.sectors);
        case WhyFigure::storeSectors: return static_cast<double>(c.globalStore.sectors);
        case WhyFigure::usefulStoreShare:
            return ratio(static_cast<double>(c.globalStore.usefulBytes),
                         kSectorBytes * static_cast<double>(c.globalStore.sectors));
        case WhyFigure::reuse: return c.inputReuse;
        case WhyFigure::sharedWavefronts:
            return static_cast<double>(c.sharedLoad.wavefronts + c.sharedStore.wavefronts);
        case WhyFigure::passesPerShared:
            return ratio(static_cast<double>(c.sharedLoad.wavefronts + c.sharedStore.wavefronts),
                         static_cast<double>(c.sharedLoad.requests + c.sharedStore.requests));
        case WhyFigure::globalAtomics: return static_cast<double>(c.globalAtomics.lanes);
        case WhyFigure::sharedAtomics: return static_cast<double>(c.sharedAtomics.lanes);
        case WhyFigure::lanesPerAddress:
            return ratio(static_cast<double>(atomics(c).lanes), static_cast<double>(atomics(c).words));
        case WhyFigure::flops: return c.flops;
        case WhyFigure::operationsPerByte: return c.operationsPerByte;
        case WhyFigure::threads: {
            double threads = 0;
            for (const KernelCounters& k : c.kernels)
                threads += static_cast<double>(k.blocks) * k.block[0] * k.block[1] * k.block[2];
            return threads;
        }
        case WhyFigure::idleThreadShare: {
            const double threads = valueOf(WhyFigure::threads, c), writing = static_cast<double>(c.globalStore.lanes);
            return writing > 0 && writing < threads ? 1 - writing / threads : 0;
        }
        case WhyFigure::activeLanes: return c.activeLanes;
        case WhyFigure::barriers: return static_cast<double>(c.barriers);
        case WhyFigure::none:
        case WhyFigure::time:
        case WhyFigure::balance: return 0;
    }
    return 0;
}

std::vector<WhySentence> explainVariant(const WhyVariant& rung, const WhyVariant* before,
                                        const std::optional<WhyCeilings>& ceilings) {
    std::vector<WhySentence> sentences;
    if (before != nullptr) changes(rung, *before, sentences);
    wastes(rung, sentences);
    if (before != nullptr) times(rung, *before, sentences);
    if (ceilings) bound(rung, *ceilings, sentences);
    if (sentences.empty()) {
        sentences.push_back(Writer(WhyClaim::same, rung, before)
                                .say("It loads ")
                                .count(WhyFigure::loadSectors)
                                .say(" sectors of 32 bytes from global memory; the counts show no waste.")
                                .end());
    }
    return sentences;
}

std::string plainText(const WhySentence& sentence) {
    std::string text;
    for (const WhyPiece& piece : sentence.pieces) {
        text += piece.text;
        if (piece.origin) text += std::string(" (") + letterOf(*piece.origin) + ")";
    }
    return text;
}

}  // namespace warplens::gpu
