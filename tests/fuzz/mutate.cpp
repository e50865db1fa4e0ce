// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer: the seeds, and inputs that are made of them, always the
// same ones. usage: PROGRAM RUNS SEED...   with a file or a folder of files as SEED.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "smsim/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Mutations reach everything in a short input sooner.
constexpr std::size_t kMostBytes = 6000;

std::vector<std::string> read_seeds(int count, char** names) {
  std::vector<std::string> seeds;
  const auto add = [&](const std::filesystem::path& path) {
    if (auto bytes = smsim::read_bytes(path.string())) seeds.push_back(*std::move(bytes));
  };
  for (int i = 0; i < count; ++i) {
    if (!std::filesystem::is_directory(names[i])) {
      add(names[i]);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(names[i])) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) add(file);
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(&seeds) {}

  std::string next() {
    std::string bytes = pick();
    const bool text = bytes.find('\0') == bytes.npos;
    if (text && bytes.size() > kMostBytes) bytes.resize(kMostBytes);
    const std::size_t changes = 1 + below(6);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }
  const std::string& pick() { return (*seeds_)[below(seeds_->size())]; }

  void change(std::string& bytes) {
    constexpr std::string_view kBytes = "[]{}<>:;,.@!-|*/\"'`()0179afRPUZ\n\t \xff";
    const std::size_t at = below(bytes.size());
    const std::size_t length = below(std::min<std::size_t>(bytes.size() - at, 80) + 1);
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = kBytes[below(kBytes.size())];
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), length));
        break;
      case 4:
        bytes.insert(at, length, kBytes[below(kBytes.size())]);
        break;
      case 5: {
        const std::string& other = pick();
        bytes.insert(at, other.substr(below(other.size()), length * 4));
        break;
      }
      default:
        bytes.resize(at);
    }
  }

  const std::vector<std::string>* seeds_;
  std::mt19937 random_{1};
};

void run(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const long runs = argc > 1 ? std::atol(argv[1]) : 0;
  const std::vector<std::string> seeds = read_seeds(argc - 2, argv + 2);
  if (runs <= 0 || seeds.empty()) {
    std::fprintf(stderr, "usage: %s RUNS SEED...\n", argv[0]);
    return 2;
  }
  for (const std::string& seed : seeds) run(seed);
  Mutator mutator(seeds);
  for (long i = 0; i < runs; ++i) {
    const std::string bytes = mutator.next();
    // What a crash leaves behind: the input that did it.
    if (const char* path = std::getenv("SMSIM_FUZZ_KEEP")) {
      if (std::FILE* file = std::fopen(path, "wb")) {
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
      }
    }
    run(bytes);
  }
  std::printf("%ld inputs from %zu seeds\n", runs, seeds.size());
}
