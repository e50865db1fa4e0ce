// SPDX-License-Identifier: MIT
// Opens and decompresses an input and finds out what it is before it is read.
#include "smsim/read.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <streambuf>

#include "core/nearest.hpp"
#include "decode/assembler_reader.hpp"
#include "decode/builder.hpp"
#include "decode/cubin.hpp"
#include "decode/dialect.hpp"
#include "decode/json_listing.hpp"
#include "decode/text.hpp"
#include "decode/text_reader.hpp"
#include "decode/trace_reader.hpp"
#include "decode/write.hpp"
#include "decode/yaml_loop.hpp"

namespace smsim {
namespace {

namespace io = boost::iostreams;

constexpr std::string_view kGzip("\x1f\x8b", 2);
constexpr std::string_view kXz(
    "\xfd"
    "7zXZ\0",
    6);
constexpr std::string_view kZstd("\x28\xb5\x2f\xfd", 4);
constexpr std::string_view kUtf16("\xff\xfe", 2);
constexpr std::string_view kUtf8Mark("\xef\xbb\xbf", 3);

/// No listing is as long; what decompresses to more is not one.
constexpr std::size_t kMostBytes = std::size_t{512} << 20;

constexpr const char* kDumpHint =
    "known are cubins and what nvcc links; or name the text of cuobjdump -sass FILE";

class Sink {
 public:
  using char_type = char;
  using category = io::sink_tag;
  explicit Sink(std::string& bytes) : bytes_(&bytes) {}
  std::streamsize write(const char* data, std::streamsize count) {
    if (bytes_->size() + static_cast<std::size_t>(count) > kMostBytes) {
      throw std::ios_base::failure("more than 512 MiB");
    }
    bytes_->append(data, static_cast<std::size_t>(count));
    return count;
  }

 private:
  std::string* bytes_;
};

template <typename Filter>
Expected<std::string> decompress(const std::string& packed, const std::string& source,
                                 const char* what) {
  std::string bytes;
  try {
    std::istringstream input(packed);
    io::filtering_streambuf<io::input> chain;
    chain.push(Filter());
    chain.push(input);
    io::copy(chain, Sink(bytes));
  } catch (const std::exception& problem) {
    return fail(ErrorKind::bad_input,
                std::string("cannot decompress the ") + what + " data: " + problem.what(),
                {source, 1, 1}, "the file may be cut off or damaged");
  }
  return bytes;
}

Expected<std::string> unpack(std::string bytes, const std::string& source) {
  if (bytes.starts_with(kGzip)) {
    return decompress<io::gzip_decompressor>(bytes, source, "gzip");
  }
  if (bytes.starts_with(kXz)) return decompress<io::lzma_decompressor>(bytes, source, "xz");
  if (bytes.starts_with(kZstd)) return decompress<io::zstd_decompressor>(bytes, source, "zstd");
  return bytes;
}

std::string source_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

/// All that is left of a stream; a device that never ends is cut off by the limit.
Expected<std::string> slurp(std::istream& stream, const std::string& source) {
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  std::string bytes;
  errno = 0;
  while (stream) {
    const std::size_t before = bytes.size();
    if (before > kMostBytes) {
      return fail(ErrorKind::bad_input, "more than 512 MiB of input", {source});
    }
    bytes.resize(before + kChunk);
    stream.read(bytes.data() + before, static_cast<std::streamsize>(kChunk));
    bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) {
    return fail(ErrorKind::no_file,
                "cannot read on behind byte " + std::to_string(bytes.size()) +
                    (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string()),
                {source}, "is it a file, on a disk that works?");
  }
  return bytes;
}

Expected<std::string> read_stream(std::istream& stream, const std::string& source) {
  return slurp(stream, source).and_then([&](std::string bytes) {
    return unpack(std::move(bytes), source);
  });
}

Expected<Program> reject(std::string message, const std::string& source, std::string hint) {
  return fail(ErrorKind::bad_input, std::move(message), {source, 1, 1}, std::move(hint));
}

/// What was read from a listing that smsim made itself: the file has no such lines.
Expected<Program> without_lines(Expected<Program> program, std::string_view format) {
  if (!program) return program;
  program->format = format;
  for (Function& function : program->functions) {
    function.line = 0;
    for (Instruction& instruction : function.instructions)
      instruction.line = instruction.column = 0;
  }
  return program;
}

/// Diagnostics quote the listing that is made of the code.
Expected<Program> read_machine_code(std::string_view bytes, const std::string& source) {
  auto listing = decode::list_machine_code(bytes, source);
  if (!listing) return tl::make_unexpected(std::move(listing.error()));
  return without_lines(decode::read_text(*listing, source), "cubin");
}

Expected<Program> read_json(std::string_view text, const std::string& source) {
  auto listing = decode::list_json(text, source);
  if (!listing) return tl::make_unexpected(std::move(listing.error()));
  return without_lines(decode::read_text(*listing, source), "nvdisasm JSON");
}

Expected<decode::Dialect> choose_dialect(std::string_view text, const std::string& source,
                                         std::string_view format) {
  if (format.empty() || format == "auto") return decode::find_dialect(text, source);
  if (const auto dialect = decode::dialect_named(format)) return *dialect;
  std::string names = "auto";
  for (const std::string_view name : decode::dialect_names()) names += ", " + std::string(name);
  return fail(ErrorKind::usage, "--input-format: there is no '" + std::string(format) + "'", {},
              "known are " + names);
}

/// Where no instruction was found, says what the text is instead.
Expected<Program> with_kind(Expected<Program> program, std::string_view text,
                            const std::string& source) {
  if (program || program.error().front().message != decode::kNothingFound) return program;
  const decode::WrongKind kind = decode::wrong_kind(text);
  if (kind.message.empty()) return program;
  return reject(kind.message, source, kind.hint);
}

/// What a path that leads nowhere was to be: the nearest name in its folder.
std::string instead_of(const std::string& path) {
  constexpr std::size_t kMostNames = 1000;
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : ".";
  std::error_code status;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator one(folder, status), end; !status && one != end;
       one.increment(status)) {
    if (names.size() == kMostNames) break;
    names.push_back(one->path().filename().string());
  }
  if (status) return "there is no folder '" + folder.string() + "'";
  std::sort(names.begin(), names.end());
  const std::string near = nearest_name(wanted.filename().string(),
                                        std::vector<std::string_view>(names.begin(), names.end()));
  if (near.empty()) return "is it written as in `ls`? '-' is standard input";
  return "did you mean '" + (wanted.parent_path() / near).string() + "'?";
}

}  // namespace

Expected<std::string> read_bytes(const std::string& path) {
  if (path == "-") return read_stream(std::cin, source_name(path));
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    return fail(ErrorKind::no_file, "'" + path + "' is a directory", {path}, "name a file in it");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int error = errno;
    return fail(ErrorKind::no_file, "cannot open '" + path + "': " + std::strerror(error), {path},
                error == ENOENT ? instead_of(path) : "may you read it?");
  }
  return read_stream(file, path);
}

namespace {

using Done = std::function<void(std::string_view)>;

/// The trace of that name beside the list; lists may leave out how it is compressed.
Expected<Program> read_listed(const std::string& list, const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(list).parent_path();
  std::error_code status;
  const std::filesystem::path plain = folder / name;
  const std::string packed = plain.string() + ".xz";
  const bool is_packed =
      !std::filesystem::exists(plain, status) && std::filesystem::exists(packed, status);
  const std::string path = is_packed ? packed : plain.string();
  auto bytes = read_bytes(path);
  if (!bytes) {
    bytes.error().front().hint = list + " names it";
    return tl::make_unexpected(std::move(bytes.error()));
  }
  if (!decode::is_trace(*bytes)) {
    return reject("this is no trace of Accel-Sim", path, list + " names it as one");
  }
  return decode::read_trace(*bytes, path);
}

/// All launches of a kernelslist; from the second on a kernel's launches are numbered.
Expected<Program> read_trace_list(std::string_view text, const std::string& source) {
  constexpr std::size_t kMostTraces = 1000;
  const std::vector<std::string> names = decode::traces_of(text);
  if (names.empty() || names.size() > kMostTraces || source == "<stdin>") {
    return reject(names.empty()         ? "this kernelslist launches no kernel"
                  : source == "<stdin>" ? "this is a kernelslist, whose traces lie beside it"
                                        : "this kernelslist names more than 1000 traces",
                  source, "name the file, or one of its traces");
  }
  Program all;
  all.source = source;
  std::map<std::string, int> launches;
  for (const std::string& name : names) {
    auto one = read_listed(source, name);
    if (!one) return one;
    all.format = one->format;
    Function& function = one->functions.front();
    function.line = 0;
    for (Instruction& instruction : function.instructions) instruction.line = 0;
    const int launch = ++launches[function.name];
    if (launch > 1) function.name += ".launch" + std::to_string(launch);
    all.functions.push_back(std::move(function));
  }
  return all;
}

/// What a file is that has no dialect of assemblers to choose; nullptr: text that has.
const char* other_than_text(std::string_view text) {
  if (decode::is_machine_code(text)) return "a cubin or another ELF file";
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  if (decode::is_json(text)) return "JSON of nvdisasm";
  if (decode::is_trace(text)) return "a trace of Accel-Sim";
  return decode::is_trace_list(text) ? "a kernelslist of Accel-Sim" : nullptr;
}

Expected<Program> read_any(std::string_view text, const std::string& source,
                           std::string_view format, const Done& done) {
  if (const char* kind = other_than_text(text); kind != nullptr && !format.empty()) {
    if (const auto dialect = choose_dialect("", source, format); !dialect)
      return tl::make_unexpected(dialect.error());
    if (format != "auto")
      return fail(ErrorKind::usage, "--input-format " + std::string(format) + ": this is " + kind,
                  {source}, "leave it out: it is for text");
  }
  if (decode::is_machine_code(text)) return read_machine_code(text, source);
  if (text.starts_with(kUtf16)) {
    return reject("this is UTF-16 text", source, "save it as UTF-8");
  }
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  if (text.find('\0') != std::string_view::npos) {
    return reject("this is a binary file", source, kDumpHint);
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return reject("the file is empty", source, "expected text of cuobjdump -sass or nvdisasm -hex");
  }
  if (decode::is_json(text)) return read_json(text, source);
  if (decode::is_trace(text)) return decode::read_trace(text, source);
  if (decode::is_trace_list(text)) return read_trace_list(text, source);
  const auto dialect = choose_dialect(text, source, format);
  if (!dialect) return tl::make_unexpected(dialect.error());
  switch (*dialect) {
    case decode::Dialect::yaml:
      return decode::read_yaml_loop(text, source);
    case decode::Dialect::disassembly:
      return with_kind(decode::read_text(text, source, 0, done), text, source);
    default:
      return decode::read_assembler(*dialect, text, source);
  }
}

/// Longer files are mapped instead of copied.
constexpr std::size_t kLeastMapped = std::size_t{32} << 20;

/// A file in memory as long as the object lives.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const auto size = static_cast<std::size_t>(status.st_size);
    if (regular && size >= kLeastMapped && size <= kMostBytes) {
      void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      if (start != MAP_FAILED) bytes_ = {static_cast<const char*>(start), size};
    }
    ::close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

  /// Gives memory back; what is read again comes from the file.
  static void release(std::string_view part) {
    ::madvise(const_cast<char*>(part.data()), part.size(), MADV_DONTNEED);
  }

 private:
  std::string_view bytes_;
};

bool is_packed(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kXz) || bytes.starts_with(kZstd);
}

}  // namespace

Expected<Program> read_program_text(std::string_view text, const std::string& source,
                                    std::string_view format) {
  return read_any(text, source, format, {});
}

Expected<Program> read_program(const std::string& path, std::string_view format) {
  const MappedFile mapped(path == "-" ? std::string() : path);
  if (!mapped.bytes().empty() && !is_packed(mapped.bytes())) {
    return read_any(mapped.bytes(), path, format, MappedFile::release);
  }
  auto bytes = read_bytes(path);
  if (!bytes) return tl::make_unexpected(std::move(bytes.error()));
  return read_program_text(*bytes, source_name(path), format);
}

Expected<std::string> write_program(const Program& program, std::string_view to) {
  return decode::write_program(program, to);
}

}  // namespace smsim
