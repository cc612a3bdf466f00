# SPDX-License-Identifier: Apache-2.0
# Headers of other people that cost more to read than our own files to compile. A build without them, the default, shows
# that every file includes what it needs.
set(warplens_std_headers <algorithm> <array> <chrono> <cmath> <cstdint> <cstdio> <filesystem> <functional> <map> <memory>
  <optional> <set> <span> <stop_token> <string> <string_view> <thread> <utility> <variant> <vector>)

# warplens_precompile(TARGET HEADER...): precompiles these and the standard library's where WARPLENS_PRECOMPILE is on.
function(warplens_precompile target)
  if(WARPLENS_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${warplens_std_headers} ${ARGN})
  endif()
endfunction()
