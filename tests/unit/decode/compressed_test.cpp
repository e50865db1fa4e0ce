// SPDX-License-Identifier: MIT
// Compressed inputs are recognised by their first bytes, whatever their names.
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <sstream>

#include "sample.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

template <typename Filter>
std::string compress(const std::string& text) {
  std::istringstream input(text);
  std::ostringstream output;
  boost::iostreams::filtering_streambuf<boost::iostreams::input> chain;
  chain.push(Filter());
  chain.push(input);
  boost::iostreams::copy(chain, output);
  return output.str();
}

}  // namespace

TEST_CASE("gzip, xz and zstd give the bytes that were packed") {
  const TempFolder folder;
  namespace io = boost::iostreams;
  for (const std::string& packed :
       {compress<io::gzip_compressor>(kDump), compress<io::lzma_compressor>(kDump),
        compress<io::zstd_compressor>(kDump)}) {
    REQUIRE(packed != kDump);
    const std::string path = folder.write("listing.sass", packed);
    const auto bytes = read_bytes(path);
    REQUIRE(bytes.has_value());
    CHECK(*bytes == kDump);
    const auto program = read_program(path);
    REQUIRE(program.has_value());
    CHECK(program->source == path);
    CHECK(program->functions.front().name == "saxpy");
  }
}

TEST_CASE("plain bytes stay as they are") {
  const TempFolder folder;
  const auto bytes = read_bytes(folder.write("plain", "[B plain"));
  REQUIRE(bytes.has_value());
  CHECK(*bytes == "[B plain");
}

TEST_CASE("compressed data that is cut off is an error") {
  const TempFolder folder;
  const std::string packed = compress<boost::iostreams::gzip_compressor>(kDump);
  const auto program = read_program(folder.write("cut", packed.substr(0, packed.size() / 2)));
  REQUIRE_FALSE(program.has_value());
  CHECK(program.error().front().message.find("gzip") != std::string::npos);
}
