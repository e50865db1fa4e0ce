// SPDX-License-Identifier: MIT
// Machine code in files: cubins, fat binaries, and programs that hold them, to a listing like the
// one of cuobjdump.
#include "decode/cubin.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <libelf.h>

#include <cstring>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <vector>

#include "decode/listing.hpp"
#include "isa/code_layout.hpp"
#include "isa/disassemble.hpp"

namespace smsim::decode {
namespace {

constexpr std::string_view kElf(
    "\x7f"
    "ELF",
    4);
constexpr std::string_view kFatbin("\x50\xed\x55\xba", 4);
constexpr std::string_view kText = ".text.";
constexpr std::string_view kInfo = ".nv.info";
constexpr Elf64_Half kCuda = 190;
/// From ABI version 8 on the architecture stands in the second byte of the flags, before in the
/// first.
constexpr unsigned kShiftedAbi = 8;

struct Closer {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using Handle = std::unique_ptr<Elf, Closer>;

template <typename T>
bool read_at(std::string_view bytes, std::size_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

struct Section {
  std::string_view name;
  std::string_view bytes;
  Elf64_Shdr header{};
};

/// What libelf finds; sections that do not lie within the file are empty.
class Sections {
 public:
  explicit Sections(std::string_view bytes) {
    elf_version(EV_CURRENT);
    // libelf writes nothing to memory that it only reads.
    handle_.reset(elf_memory(const_cast<char*>(bytes.data()), bytes.size()));
    if (handle_ == nullptr || elf_kind(handle_.get()) != ELF_K_ELF) return;
    const Elf64_Ehdr* header = elf64_getehdr(handle_.get());
    std::size_t names = 0;
    if (header == nullptr || elf_getshdrstrndx(handle_.get(), &names) != 0) return;
    header_ = *header;
    is_good_ = true;
    for (Elf_Scn* one = elf_nextscn(handle_.get(), nullptr); one != nullptr;
         one = elf_nextscn(handle_.get(), one)) {
      add(one, names, bytes);
    }
  }

  bool is_good() const { return is_good_; }
  const Elf64_Ehdr& header() const { return header_; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  void add(Elf_Scn* one, std::size_t names, std::string_view bytes) {
    const Elf64_Shdr* header = elf64_getshdr(one);
    if (header == nullptr) return;
    const char* name = elf_strptr(handle_.get(), names, header->sh_name);
    const bool inside = header->sh_type != SHT_NOBITS && header->sh_offset <= bytes.size() &&
                        header->sh_size <= bytes.size() - header->sh_offset;
    all_.push_back({name == nullptr ? "" : name,
                    inside ? bytes.substr(header->sh_offset, header->sh_size) : "", *header});
  }

  Handle handle_;
  Elf64_Ehdr header_{};
  bool is_good_ = false;
  std::vector<Section> all_;
};

/// Register counts by symbol, from the records of .nv.info: a byte for the form of the value, one
/// for the attribute, then a length and that many bytes, or the value itself.
std::unordered_map<std::uint32_t, int> register_counts(std::string_view info) {
  constexpr std::uint8_t kSizedValue = 4;
  constexpr std::uint8_t kRegisterCount = 0x2f;
  std::unordered_map<std::uint32_t, int> counts;
  std::size_t at = 0;
  std::uint16_t length = 0;
  while (read_at(info, at + 2, length)) {
    const bool sized = static_cast<std::uint8_t>(info[at]) == kSizedValue;
    std::uint32_t symbol = 0, count = 0;
    const bool wanted = sized && static_cast<std::uint8_t>(info[at + 1]) == kRegisterCount;
    if (wanted && read_at(info, at + 4, symbol) && read_at(info, at + 8, count)) {
      counts[symbol] = static_cast<int>(count & 0xff);
    }
    at += 4 + (sized ? length : 0);
  }
  return counts;
}

tl::unexpected<Diagnostics> bad(const std::string& source, std::string message, std::string hint) {
  return fail(ErrorKind::bad_input, std::move(message), {source, 1, 1}, std::move(hint));
}

int sm_of(const Elf64_Ehdr& header) {
  const bool shifted = header.e_ident[EI_ABIVERSION] >= kShiftedAbi;
  return static_cast<int>(header.e_flags >> (shifted ? 8 : 0) & 0xff);
}

/// The kernel whose code the section is; empty for other sections.
std::string_view kernel_of(const Section& section) {
  const bool code = section.name.starts_with(kText) && section.header.sh_type == SHT_PROGBITS;
  return code ? section.name.substr(kText.size()) : std::string_view();
}

Expected<void> list_cubin(const Sections& sections, const std::string& source, std::string& out) {
  const int sm = sm_of(sections.header());
  if (!isa::can_disassemble(sm)) {
    return bad(source, fmt::format("the encodings of sm_{} are not known", sm),
               "print the code with cuobjdump -sass and read that");
  }
  std::unordered_map<std::uint32_t, int> counts;
  for (const Section& one : sections) {
    if (one.name == kInfo) counts = register_counts(one.bytes);
  }
  out += fmt::format("\tcode for sm_{}\n", sm);
  for (const Section& one : sections) {
    const std::string_view kernel = kernel_of(one);
    if (kernel.empty()) continue;
    int registers = static_cast<int>(one.header.sh_info >> 24);
    // The lower bits name the kernel's symbol.
    const auto counted = counts.find(one.header.sh_info & 0xffffff);
    if (registers == 0 && counted != counts.end()) registers = counted->second;
    list_function(sm, kernel, registers, one.bytes, out);
  }
  return {};
}

/// The head of an entry of a fat binary.
struct FatbinEntry {
  std::uint16_t kind = 0;  ///< 1: PTX, 2: cubin
  std::uint16_t unused = 0;
  std::uint32_t header_size = 0;
  std::uint64_t size = 0;
};

struct Found {
  int cubins = 0;
  int compressed = 0;
  int ptx = 0;
};

Expected<void> list_elf(std::string_view bytes, const std::string& source, std::string& out);

/// Containers one behind the other, each with entries.
Expected<void> list_fatbin(std::string_view bytes, const std::string& source, std::string& out) {
  constexpr std::size_t kHeadSize = 16;
  Found found;
  std::size_t at = 0;
  while ((at = bytes.find(kFatbin, at)) != bytes.npos) {
    std::uint16_t head = 0;
    std::uint64_t size = 0;
    if (!read_at(bytes, at + 6, head) || !read_at(bytes, at + 8, size)) break;
    if (head < kHeadSize || size > bytes.size() - at) {
      return bad(source, "the fat binary is cut off", "is the file complete?");
    }
    const std::size_t end = std::min(bytes.size(), at + head + size);
    at += head;
    FatbinEntry entry;
    while (at < end && read_at(bytes, at, entry) && entry.header_size >= sizeof(FatbinEntry)) {
      const std::size_t start = at + entry.header_size;
      if (start > end || entry.size > end - start) break;
      const std::string_view payload = bytes.substr(start, entry.size);
      if (entry.kind == 1) ++found.ptx;
      if (entry.kind == 2 && payload.starts_with(kElf)) {
        ++found.cubins;
        if (auto listed = list_elf(payload, source, out); !listed) return listed;
      } else if (entry.kind == 2) {
        ++found.compressed;
      }
      at = start + entry.size;
    }
    at = std::max(at, std::min(end, bytes.size()));
  }
  if (found.cubins > 0) return {};
  if (found.compressed > 0) {
    return bad(source, "the code in this fat binary is compressed",
               "take it out with cuobjdump -xelf all FILE, or compile with nvcc -no-compress");
  }
  return bad(source,
             found.ptx > 0 ? "this fat binary holds PTX only, which is not yet machine code"
                           : "this fat binary holds no code",
             "compile with nvcc -cubin -arch=sm_NN");
}

Expected<void> list_elf(std::string_view bytes, const std::string& source, std::string& out) {
  const Sections sections(bytes);
  if (!sections.is_good()) {
    return bad(source, "this ELF file is damaged or not of 64 bits", "is the file complete?");
  }
  const Elf64_Ehdr& header = sections.header();
  if (header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize > bytes.size())
    return bad(source, "this ELF file is cut off: it ends before its table of sections",
               "is the file complete?");
  if (header.e_machine == kCuda) return list_cubin(sections, source, out);
  for (const Section& one : sections) {
    const bool fat = one.name == ".nv_fatbin" || one.name == "__nv_relfatbin";
    if (fat && !one.bytes.empty()) return list_fatbin(one.bytes, source, out);
  }
  return bad(source, "this is a program for the host without code for a GPU",
             "name the cubin, or a program that nvcc linked");
}

}  // namespace

bool is_machine_code(std::string_view bytes) {
  return bytes.starts_with(kElf) || bytes.starts_with(kFatbin);
}

Expected<std::string> list_machine_code(std::string_view bytes, const std::string& source) {
  std::string out;
  const auto listed =
      bytes.starts_with(kElf) ? list_elf(bytes, source, out) : list_fatbin(bytes, source, out);
  if (!listed) return tl::make_unexpected(listed.error());
  return out;
}

std::optional<Extent> code_of(std::string_view bytes, std::string_view function) {
  const Sections sections(bytes);
  if (!sections.is_good() || sections.header().e_machine != kCuda) return std::nullopt;
  for (const Section& one : sections)
    if (!one.bytes.empty() && kernel_of(one) == function)
      return Extent{one.header.sh_offset, one.bytes.size()};
  return std::nullopt;
}

}  // namespace smsim::decode
