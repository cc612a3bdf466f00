// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/user_kernel.hpp"
#include "gpu/user/listing.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::worker {

/// A kernel of a text (gpu/user/source.hpp), which `path` names. Each run of it is a process of its
/// own, which compiles it as well: for a GPU after a try on the CPU, on a corner of the picture, where g++ is found.
/// Throws gpu::Error(argument) for a text that holds no such kernel.
std::shared_ptr<const gpu::UserKernel> makeKernel(const std::string& path, const std::string& text);
/// A file in the full form that does what a variant of ours does. Throws gpu::Error(unsupported) for a library or a
/// portable row, and for want of a worker.
std::string copyOfVariant(const gpu::Family& family, const gpu::Variant& variant);
/// For a program that runs many kernels one after the other: of each device a worker is kept ready, a GPU's with its
/// context.
void keepSpares();
/// The file of "my.cuh@block_width=16", a kernel with tunables of its own.
std::string fileOfKernel(const std::string& name);
/// The same of such a name. Throws io::Error as well.
std::shared_ptr<const gpu::UserKernel> loadKernel(const std::string& path);

/// What the compiler makes of such a text; nothing of it is run. A gpu::user::ListingMaker.
gpu::user::Listings listingsOf(const std::string& path, const std::string& text, const gpu::user::ListingTask& task,
                               const std::stop_token& stop = {});

/// The same of a variant of ours. A gpu::user::VariantListingMaker.
gpu::user::Listings listingsOf(const gpu::Variant& variant, const std::vector<std::string>& kernels, int capability,
                               const std::stop_token& stop = {});

}  // namespace warplens::worker
