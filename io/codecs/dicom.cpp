// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/dicom_header.hpp"
#include "io/codecs/dicom_rle.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/itk_volume.hpp"
#include "io/dicom_folder.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

namespace warplens::io::codecs {
namespace {

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

/// Every picture in the folder, by series. A file that is cut short or corrupt is an error: a volume without it would
/// look whole.
std::map<std::string, Slices> findSeries(const Source& source) {
    std::map<std::string, Slices> series;
    std::set<std::string> kinds;
    std::vector<std::pair<std::string, std::string>> without;  // file, and its kind
    const auto files = source.files.empty() ? dicomFilesIn(source.path) : source.files;
    std::size_t done = 0;
    for (const auto& file : files) {
        const auto header = parseDicomHeader(file, oneFile(source, file));
        if (header.hasPixels) {
            kinds.insert(header.kind);
            try {
                auto facts = readDicomFacts(file);
                series[facts.series].push_back(std::move(facts));
            } catch (const Error&) {
                // Of a kind that the library does not show; what is left decides.
            }
        } else {
            without.emplace_back(file, header.kind);
        }
        source.tell(0.5 * static_cast<double>(++done) / static_cast<double>(files.size()));
    }
    // A directory file or a report among the pictures is usual, a picture without its pixels is not.
    for (const auto& [file, kind] : without) {
        if (kind.empty() || kinds.contains(kind)) noPixels(file);
    }
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

void checkAlike(const Slices& slices, const std::string& where) {
    const auto& first = slices.front();
    for (const auto& slice : slices) {
        bool turned = false;
        for (std::size_t i = 0; i < 9; ++i) turned |= std::abs(slice.direction[i] - first.direction[i]) > 1e-4;
        if (slice.shape == first.shape && slice.type == first.type && slice.shape.depth == 1 && !turned) continue;
        unsupported(where, "the slices of this series differ in size, type or direction",
                    "keep those that belong together in a folder of their own");
    }
}

/// Sorted along the normal of the slices; where several share a place, in the order of their numbers.
std::vector<double> sortByPlace(Slices& slices) {
    const auto place = [&](const DicomFacts& slice) {
        double along = 0;
        for (std::size_t row = 0; row < 3; ++row) along += slice.position[row] * slices.front().direction[3 * row + 2];
        return along;
    };
    std::vector<std::pair<double, DicomFacts>> placed;
    for (const auto& slice : slices) placed.emplace_back(place(slice), slice);
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

/// Distance of neighbours along the normal.
double spacingOf(const std::vector<double>& places, std::vector<std::string>& notes) {
    const auto mean = (places.back() - places.front()) / static_cast<double>(places.size() - 1);
    double widest = 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        widest = std::max(widest, std::abs(places[i] - places[i - 1] - mean));
    }
    if (widest > 0.01 * mean) {
        notes.push_back("the slices are not evenly spaced: up to " + formatNumber(std::round(widest * 1000) / 1000) +
                        " mm off the mean, which is taken");
    }
    return mean;
}

/// Layouts that the library takes for others (GDCM 3.0.21).
void checkLayout(const DicomHeader& header, const Source& source) {
    const auto refuse = [&](const std::string& what, const char* remedy) {
        unsupported(source.where, "DICOM values of " + std::to_string(header.bits) + " bits " + what, remedy);
    };
    if (header.bits > 16 && header.fragments.empty()) {
        if (header.bigEndian) refuse("in big endian", "save it in little endian");
        if (header.byPlane && header.samples > 1)
            refuse("stored plane by plane", "save it with planar configuration 0");
    }
    if (header.isRle() && header.bits > 8 && header.samples > 1 && header.photometric != "RGB") {
        refuse("in run lengths of colours that are not RGB", "save it uncompressed");
    }
}

/// Our own look first, then the library's.
Grid readOne(const Source& source) {
    const auto header = parseDicomHeader(source.path, source);
    if (!header.hasPixels) noPixels(source.where);
    checkLayout(header, source);
    ItkRequest request{ItkFormat::dicom, "DICOM", 0};
    if (header.isRle()) {
        const bool ours = header.samples > 1 && header.bits > 8;
        auto values = readRle(header, source.path, source, ours);
        if (ours) request.load = [values = std::move(values)]() mutable { return std::move(values); };
    }
    return readWithItk(request, source);
}

Grid readSlices(const Slices& slices, const Source& source) {
    auto first = readOne(oneFile(source, slices.front().path));
    auto shape = first.shape();
    shape.depth = static_cast<std::int64_t>(slices.size());
    source.limits.check(shape, first.type(), source.where);
    Grid volume(shape, first.type());
    volume.geometry = first.geometry;
    volume.metadata = std::move(first.metadata);
    std::memcpy(volume.data(), first.data(), first.bytes());
    for (std::size_t i = 1; i < slices.size(); ++i) {
        source.tell(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(slices.size()));
        const auto slice = readOne(oneFile(source, slices[i].path));
        if (slice.bytes() != first.bytes() || slice.type() != first.type()) {
            unsupported(source.where, "the slices of this series differ in size or type",
                        "keep those that belong together in a folder of their own");
        }
        std::memcpy(volume.data() + i * slice.bytes(), slice.data(), slice.bytes());
    }
    return volume;
}

Grid readSeries(Slices slices, const Source& source) {
    if (slices.size() == 1) {
        auto one = source;
        one.path = slices.front().path;
        return decodeDicom(one);
    }
    checkAlike(slices, source.where);
    const bool positioned = std::all_of(slices.begin(), slices.end(), [](const auto& s) { return s.positioned; });
    std::vector<std::string> notes;
    int frames = 1;
    double spacing = 1;
    if (positioned) {
        auto places = sortByPlace(slices);
        frames = chooseFrame(slices, places, source);
        if (places.size() > 1) spacing = spacingOf(places, notes);
    } else {
        std::stable_sort(slices.begin(), slices.end(),
                         [](const auto& a, const auto& b) { return a.instance < b.instance; });
        notes.emplace_back("the slices state no position: they are in the order of their numbers, 1 mm apart");
    }
    auto volume = readSlices(slices, source);
    volume.geometry.spacing[2] = spacing;
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
