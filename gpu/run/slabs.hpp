// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/slab_map.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/border.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A stretch of slices, or of rows of a picture, that a slab computes.
struct Slab {
    std::int64_t first = 0, slices = 0;
};

/// How a volume that does not fit a device goes over it piece by piece, along z; or a picture, along y.
struct SlabPlan {
    std::int64_t depth = 0;  ///< slices of the volume
    std::int64_t slices =
        0;                   ///< that a slab computes at most; all as many but for the last one, if there are no shares
    std::int64_t halo = 0;   ///< slices that a slab reads beyond each of its ends
    std::int64_t bytes = 0;  ///< on the device, at most
    int axis = 2;            ///< 2: slices; 1: "slices" here are rows; 0: pixels of a single row
    bool overlapped = false;  ///< one is computed while the next is sent and the last one fetched (slab_ring.hpp)

    std::vector<std::int64_t> shares{};  ///< slices of every slab, where devices are to have more or fewer of them

    std::int64_t count() const {
        return shares.empty() ? (depth + slices - 1) / slices : static_cast<std::int64_t>(shares.size());
    }
    Slab at(std::int64_t i) const;
    /// "6 slabs of 171 slices, halo 1, 980 MB on the device"; of rows, pixels
    std::string sentence() const;
    /// The same on one device, which computes them all.
    SlabMap map(const std::string& device) const;
};

/// Cuts `depth` slices into as few slabs of equal size as `budget` bytes allow. bytesFor says what a slab that computes
/// n slices, its halo included, takes on the device; it rises with n. Throws Error(outOfMemory) with the bytes needed
/// when not even one slice fits; `where` names the device. Along axis 1 slices are rows. No slab has more than one of
/// `parts` equal parts, rounded up: several devices share them.
SlabPlan planSlabs(std::int64_t depth, std::int64_t halo, std::int64_t budget,
                   const std::function<std::int64_t(std::int64_t n)>& bytesFor, const std::string& where, int axis = 2,
                   std::int64_t parts = 1);

/// In how many parts such devices share a problem: one each where all have the same name, as nothing says that one is
/// slower; else four each, so that a faster one can take more of them.
std::int64_t partsFor(const std::vector<Device*>& devices);

/// `depth` slices in proportion to speeds, at least one and at most `most` each; none where these do not hold them all.
/// As many speeds as `most`, at least one; all are positive.
std::vector<std::int64_t> sharesOf(std::int64_t depth, const std::vector<double>& speeds,
                                   const std::vector<std::int64_t>& most);

/// The same on several devices, of which owners[i] computed slab i; none did where that is empty.
SlabMap mapOf(const SlabPlan& plan, const std::vector<Device*>& devices, const std::vector<std::size_t>& owners);

/// "; 2 devices at once, HOW: cuda:0 slices 0 to 511, cuda:1 slices 512 to 1023"; empty where there is one device.
std::string sharedBy(const SlabMap& map, const std::string& how);

/// Host memory that grows, and is not cleared: that takes longer than what is done with it.
class Scratch {
public:
    /// What lay there before is lost when it grows.
    std::byte* room(std::size_t bytes) {
        if (bytes > m_size) {
            m_bytes = std::make_unique_for_overwrite<std::byte[]>(bytes);
            m_size = bytes;  // known only now: there may be no such memory
        }
        return m_bytes.get();
    }

private:
    std::unique_ptr<std::byte[]> m_bytes;
    std::size_t m_size = 0;
};

/// `count` slices of the grid from slice `first` on, which may lie outside: those come from where the border says, or
/// are zeros. Points into the grid where that is possible, else into `staging`.
const std::byte* slicesFrom(const io::Grid& grid, std::int64_t first, std::int64_t count, Border border,
                            Scratch& staging);

}  // namespace warplens::gpu
