# SPDX-License-Identifier: Apache-2.0
# Run with cmake -P when the program is built, from the root of the sources: writes OUTPUT, headers.cpp with the texts of
# HEADERS (joined by "|").
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" paths "${HEADERS}")
set(worker_headers "")
foreach(path IN LISTS paths)
  file(READ "${path}" text)
  string(APPEND worker_headers "        {\"${path}\", R\"text(${text})text\"},\n")
endforeach()
configure_file("${CMAKE_CURRENT_LIST_DIR}/headers.cpp.in" "${OUTPUT}" @ONLY)
