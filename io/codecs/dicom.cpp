// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/codecs/dicom_frames.hpp"
#include "io/codecs/dicom_geometry.hpp"
#include "io/codecs/dicom_header.hpp"
#include "io/codecs/dicom_values.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/volume_header.hpp"
#include "io/dicom_folder.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace warplens::io::codecs {
namespace {

/// What decides where a file of a series belongs.
struct DicomFacts {
    std::string path, series, description;
    std::int64_t rows = 0, columns = 0, frames = 1;
    DicomPlace place;
    std::array<double, 2> spacing{};  ///< in the plane
    std::optional<double> apart;      ///< from its neighbours, as far as it says
    std::string apartFrom;            ///< which of its elements does
    std::int64_t instance = 0;
    int channels = 1;
    PixelType type = PixelType::u8;

    bool positioned() const { return place.position.has_value(); }
};
using Slices = std::vector<DicomFacts>;

// Beyond this two positions are two slices; scanners write positions to a micrometre or so.
constexpr double kSamePlace = 1e-3;

Source oneFile(const Source& source, const std::string& path) {
    Source one = source;
    one.path = path;
    one.where = path;
    one.fileBytes = 0;
    one.frame = 0;
    one.progress = {};
    return one;
}

[[noreturn]] void noPixels(const std::string& where) { damaged(where, "DICOM", "it ends before any pixels"); }

DicomFacts factsOf(const std::string& path, const DicomHeader& header) {
    const auto& root = header.root();
    DicomFacts facts;
    facts.path = path;
    facts.series = root.text(0x0020000e);
    facts.description = root.text(0x0008103e);
    facts.rows = header.rows;
    facts.columns = header.columns;
    facts.frames = header.frames;
    facts.place = placeOfFrame(header, 0);
    std::vector<std::string> unsaid;
    const auto geometry = readDicomGeometry(header, unsaid);
    facts.spacing = {geometry.spacing[0], geometry.spacing[1]};
    facts.apart = statedSliceSpacing(header, facts.apartFrom);
    facts.instance = static_cast<std::int64_t>(root.decimal(0x00200013).value_or(0));
    const auto meaning = readDicomMeaning(header, path);
    facts.channels = meaning.channels;
    facts.type = meaning.type;
    return facts;
}

/// Every picture in the folder, by series. A file that is cut short or corrupt is an error: a volume without it would
/// look whole.
std::map<std::string, Slices> findSeries(const Source& source) {
    std::map<std::string, Slices> series;
    std::set<std::string> kinds;
    std::vector<std::pair<std::string, std::string>> without;  // file, and its kind
    const auto files = source.files.empty() ? dicomFilesIn(source.path) : source.files;
    std::optional<Error> unread;
    std::size_t done = 0;
    for (const auto& file : files) {
        const auto one = oneFile(source, file);
        try {
            const auto header = readDicomHeader(file, one);
            const auto& kind = header.dataset.kind;
            if (header.hasPixels) {
                kinds.insert(kind);
                auto facts = factsOf(file, header);
                series[facts.series].push_back(std::move(facts));
            } else {
                without.emplace_back(file, kind);
            }
        } catch (const Error& error) {
            // A picture of a kind that is not read; what is left decides.
            if (error.kind() != Error::Kind::unsupported) throw;
            if (!unread) unread = error;
        }
        source.tell(0.5 * static_cast<double>(++done) / static_cast<double>(files.size()));
    }
    // A directory file or a report among the pictures is usual, a picture without its pixels is not.
    for (const auto& [file, kind] : without) {
        if (kind.empty() || kinds.contains(kind)) noPixels(file);
    }
    if (series.empty() && unread) throw Error(*unread);
    if (series.empty()) {
        throw Error(Error::Kind::unreadable, source.where + ": none of the " + std::to_string(files.size()) +
                                                 " DICOM files in the folder holds a picture: name another folder");
    }
    return series;
}

/// The wanted series by UID or by number in the order of UIDs; the one of most files when none is named.
const std::string& chooseSeries(const std::map<std::string, Slices>& series, const Source& source) {
    if (source.series.empty()) {
        return std::max_element(series.begin(), series.end(),
                                [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); })
            ->first;
    }
    if (const auto found = series.find(source.series); found != series.end()) return found->first;
    const auto number = parseNumber<std::size_t>(source.series).value_or(0);
    if (number < 1 || number > series.size()) {
        throw Error(Error::Kind::argument, source.where + ": there is no series " + inQuotes(source.series) +
                                               ": choose a number from 1 to " + std::to_string(series.size()) +
                                               ", or a UID that info lists");
    }
    return std::next(series.begin(), static_cast<std::ptrdiff_t>(number - 1))->first;
}

void checkAlike(const Slices& slices, const std::string& where, std::vector<std::string>& notes) {
    const auto& first = slices.front();
    bool spaced = true;
    for (const auto& slice : slices) {
        bool turned = false;
        if (slice.place.axes && first.place.axes) {
            for (std::size_t axis = 0; axis < 2; ++axis) {
                for (std::size_t i = 0; i < 3; ++i) {
                    turned |= std::abs((*slice.place.axes)[axis][i] - (*first.place.axes)[axis][i]) > 1e-4;
                }
            }
        }
        for (std::size_t i = 0; i < 2; ++i) {
            spaced &= std::abs(slice.spacing[i] - first.spacing[i]) <= 1e-4 * first.spacing[i];
        }
        if (slice.rows == first.rows && slice.columns == first.columns && slice.frames == 1 &&
            slice.channels == first.channels && !turned) {
            continue;
        }
        unsupported(where, "the slices of this series differ in size, colours or direction",
                    "keep those that belong together in a folder of their own");
    }
    if (!spaced) notes.emplace_back("the slices differ in the spacing of their pixels; that of the first is taken");
}

/// Sorted along the normal of the slices; where several share a place, in the order of their numbers.
std::vector<double> sortByPlace(Slices& slices) {
    using Axes = std::array<std::array<double, 3>, 3>;
    const auto axes = slices.front().place.axes.value_or(Axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    std::vector<std::pair<double, DicomFacts>> placed;
    for (const auto& slice : slices) placed.emplace_back(alongNormal(slice.place, axes), slice);
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto begin = placed.begin(); begin != placed.end();) {
        const auto end =
            std::find_if(begin, placed.end(), [&](const auto& one) { return one.first - begin->first > kSamePlace; });
        std::stable_sort(begin, end,
                         [](const auto& a, const auto& b) { return a.second.instance < b.second.instance; });
        for (auto one = begin; one != end; ++one) one->first = begin->first;
        begin = end;
    }
    std::vector<double> places;
    slices.clear();
    for (auto& [at, slice] : placed) {
        places.push_back(at);
        slices.push_back(std::move(slice));
    }
    return places;
}

/// Keeps one slice of each place: those of the wanted frame, where every place has as many. Returns the frames.
int chooseFrame(Slices& slices, std::vector<double>& places, const Source& source) {
    std::size_t frames = 1;
    while (frames < places.size() && places[frames] == places[0]) ++frames;
    const auto refuse = [&] {
        unsupported(source.where, "some places of this series have more slices than others",
                    "keep those that belong together in a folder of their own");
    };
    if (places.size() % frames != 0) refuse();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool begins = i % frames == 0;
        if (i > 0 && begins == (places[i] == places[i - 1])) refuse();
    }
    if (source.frame < 0 || static_cast<std::size_t>(source.frame) > frames) {
        throw Error(Error::Kind::argument, source.where + ": there is no frame " + std::to_string(source.frame) +
                                               ": choose 1 to " + std::to_string(frames));
    }
    const auto frame = static_cast<std::size_t>(std::max(source.frame, 1) - 1);
    for (std::size_t i = 0; i < places.size() / frames; ++i) {
        slices[i] = slices[i * frames + frame];
        places[i] = places[i * frames + frame];
    }
    slices.resize(slices.size() / frames);
    places.resize(slices.size());
    return static_cast<int>(frames);
}

/// Fills a volume with the frames of files, one after the other.
class Filler {
public:
    Filler(const Shape& shape, PixelType type, const Source& source)
        : m_source(source), m_grid(shape, type), m_slices(shape.depth) {}

    void add(const DicomHeader& header, const DicomMeaning& meaning, const Source& source) {
        for (std::int64_t frame = 0; frame < header.frames; ++frame, ++m_slice) {
            const auto samples = readDicomFrame(header, frame, source);
            writeDicomFrame(samples, header, meaning, frame, m_slice, m_grid, m_tally, source.where);
            m_scales.push_back(meaning.scaleOf(frame));
            m_source.tell(0.5 + 0.5 * static_cast<double>(m_slice + 1) / static_cast<double>(m_slices));
        }
        if (m_unit.empty()) m_unit = meaning.unit;
    }

    Grid finish(const DicomMeaning& meaning) {
        floatWhereExact(m_grid);
        auto& metadata = m_grid.metadata;
        if (meaning.storedType != nameOf(m_grid.type())) metadata.sourceType = meaning.storedType;
        if (!m_tally.turnedFrom.empty()) {
            metadata.notes.push_back("the colours were turned from " + m_tally.turnedFrom + " to RGB");
        }
        const auto scaled = scaleNote(m_scales, m_unit, m_tally.rounded > 0);
        if (!scaled.empty()) {
            metadata.notes.push_back(scaled);
        } else if (m_tally.rounded > 0) {
            metadata.notes.push_back(std::to_string(m_tally.rounded) + " of " +
                                     std::to_string(m_grid.shape().values()) + " " + meaning.storedType +
                                     " values were rounded to f32");
        }
        metadata.notes.insert(metadata.notes.end(), meaning.notes.begin(), meaning.notes.end());
        return std::move(m_grid);
    }

private:
    const Source& m_source;
    Grid m_grid;
    std::int64_t m_slices;
    std::int64_t m_slice = 0;
    DicomTally m_tally;
    std::vector<DicomScale> m_scales;
    std::string m_unit;
};

Grid readOne(const Source& source) {
    const auto header = readDicomHeader(source.path, source);
    if (!header.hasPixels) noPixels(source.where);
    const auto meaning = readDicomMeaning(header, source.where);
    const Shape shape{header.columns, header.rows, header.frames, meaning.channels};
    source.limits.check(shape, meaning.type, source.where);
    Filler filler(shape, meaning.type, source);
    filler.add(header, meaning, source);
    auto grid = filler.finish(meaning);
    auto& notes = grid.metadata.notes;
    notes.insert(notes.end(), header.notes.begin(), header.notes.end());
    grid.geometry = readDicomGeometry(header, notes);
    tidyGeometry(grid);
    return grid;
}

/// The type that holds the values of all slices.
PixelType commonType(const Slices& slices) {
    const auto type = slices.front().type;
    const bool alike = std::all_of(slices.begin(), slices.end(), [&](const auto& slice) { return slice.type == type; });
    return alike ? type : PixelType::f32;
}

Grid readSlices(const Slices& slices, const Source& source) {
    const auto& first = slices.front();
    const Shape shape{first.columns, first.rows, static_cast<std::int64_t>(slices.size()), first.channels};
    const auto type = commonType(slices);
    source.limits.check(shape, type, source.where);
    Filler filler(shape, type, source);
    DicomMeaning meaning;
    Geometry geometry;
    std::vector<std::string> notes;
    for (const auto& slice : slices) {
        const auto one = oneFile(source, slice.path);
        const auto header = readDicomHeader(slice.path, one);
        const auto ofSlice = readDicomMeaning(header, one.where);
        const bool alike = header.rows == first.rows && header.columns == first.columns && header.frames == 1 &&
                           ofSlice.channels == first.channels && (ofSlice.type == type || type == PixelType::f32);
        if (!alike) {
            throw Error(Error::Kind::unreadable, slice.path + ": the file changed while it was read: read it again");
        }
        filler.add(header, ofSlice, one);
        if (&slice != &first) continue;
        meaning = ofSlice;
        geometry = readDicomGeometry(header, notes);
        notes.insert(notes.end(), header.notes.begin(), header.notes.end());
    }
    auto volume = filler.finish(meaning);
    volume.geometry = geometry;
    volume.metadata.notes.insert(volume.metadata.notes.end(), notes.begin(), notes.end());
    return volume;
}

Grid readSeries(Slices slices, const Source& source) {
    if (slices.size() == 1) {
        auto one = source;
        one.path = slices.front().path;
        return decodeDicom(one);
    }
    std::vector<std::string> notes;
    checkAlike(slices, source.where, notes);
    const bool positioned = std::all_of(slices.begin(), slices.end(), [](const auto& s) { return s.positioned(); });
    int frames = 1;
    double spacing = std::abs(slices.front().apart.value_or(1));
    if (positioned) {
        auto places = sortByPlace(slices);
        frames = chooseFrame(slices, places, source);
        if (places.size() > 1) spacing = evenSpacing(places, notes);
    } else {
        std::stable_sort(slices.begin(), slices.end(),
                         [](const auto& a, const auto& b) { return a.instance < b.instance; });
        const auto& from = slices.front().apartFrom;
        notes.push_back("the slices state no position: they are in the order of their numbers, " +
                        formatNumber(spacing) + " mm apart" + (from.empty() ? "" : ", as the " + from + " says"));
    }
    auto volume = readSlices(slices, source);
    volume.geometry.spacing[2] = spacing;
    tidyGeometry(volume);
    volume.metadata.pages = frames;
    volume.metadata.page = std::max(source.frame, 1);
    if (frames > 1) {
        notes.push_back("frame " + std::to_string(volume.metadata.page) + " of " + std::to_string(frames) +
                        " was read");
    }
    volume.metadata.notes.insert(volume.metadata.notes.end(), notes.begin(), notes.end());
    return volume;
}

}  // namespace

bool isDicom(Bytes head) { return isDicomHead(head); }

Grid decodeDicom(const Source& source) {
    // Several frames in one file are its slices.
    if (source.frame > 1) {
        throw Error(Error::Kind::argument,
                    source.where + ": there is no frame " + std::to_string(source.frame) + ": leave --frame out");
    }
    return readOne(source);
}

Grid decodeDicomFolder(const Source& source) {
    const auto series = findSeries(source);
    const auto& chosen = chooseSeries(series, source);
    auto volume = readSeries(series.at(chosen), source);
    for (const auto& [uid, slices] : series) {
        volume.metadata.series.push_back({uid, slices.front().description, static_cast<int>(slices.size())});
    }
    if (series.size() > 1) {
        const auto number = std::distance(series.begin(), series.find(chosen)) + 1;
        volume.metadata.notes.push_back("series " + std::to_string(number) + " of " + std::to_string(series.size()) +
                                        " was read");
    }
    return volume;
}

}  // namespace warplens::io::codecs
