// SPDX-License-Identifier: MIT
// A queue in one piece of memory, which grows when it must: what a cycle loop pushes and pops.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace smsim {

/// First in, first out. The items lie in a ring whose size is a power of two.
template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  T& front() { return at(0); }
  const T& front() const { return at(0); }

  void push_back(T item) {
    if (size_ == capacity()) grow();
    at(size_++) = std::move(item);
  }
  void pop_front() {
    first_ = (first_ + 1) & mask_;
    --size_;
  }

  /// From the first to the last.
  class Iterator {
   public:
    Iterator(const Ring& ring, std::size_t i) : ring_(&ring), i_(i) {}
    const T& operator*() const { return ring_->at(i_); }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return i_ == other.i_; }

   private:
    const Ring* ring_;
    std::size_t i_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  static constexpr std::size_t kFirstSize = 8;

  std::size_t capacity() const { return mask_ + 1; }
  T& at(std::size_t i) { return items_[(first_ + i) & mask_]; }
  const T& at(std::size_t i) const { return items_[(first_ + i) & mask_]; }

  void grow() {
    std::vector<T> more(2 * capacity());
    for (std::size_t i = 0; i < size_; ++i) more[i] = std::move(at(i));
    items_ = std::move(more);
    first_ = 0;
    mask_ = items_.size() - 1;
  }

  std::vector<T> items_ = std::vector<T>(kFirstSize);
  std::size_t mask_ = kFirstSize - 1;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace smsim
