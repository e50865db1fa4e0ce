#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages, has lintian look at them, installs them in a bare root, predicts there.
#   tests/package/debian.sh [WORK-FOLDER]      needs root, what `./run setup test package` installs, and
#                                              a Debian mirror: DEBIAN_MIRROR, or the one that apt has
#                                              here. A step of .ci/run with SMSIM_PACKAGES=1
set -euo pipefail

source=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
work=$(mkdir -p "${1:-$source/build-debian}" && cd "${1:-$source/build-debian}" && pwd)
suite=bookworm
root=$work/root

step() { printf '\n=== %s (after %d s)\n' "$1" "$SECONDS"; }

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi

step "packages"
cmake -S "$source" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
  -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" \
  -DSMSIM_BUILD_TESTS=OFF -DSMSIM_BUILD_BENCH=OFF -DSMSIM_CHECKOUT_CONFIGS=OFF \
  "${launcher[@]}" >"$work/configure.log"
ninja -C "$work" >"$work/build.log"
(cd "$work" && rm -f ./*.deb && cpack -G DEB >"$work/cpack.log")
ls -l "$work"/*.deb

step "lintian: no errors"
lintian --fail-on error "$work"/*.deb

# The first mirror that apt has here for the suite; what goes with it is not copied, so that nothing
# but Debian is in the root.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' |
  awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')}

step "a bare root from $mirror"
rm -rf "$root"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/debootstrap.log"
echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
mkdir "$root/packages" && cp "$work"/*.deb "$root/packages/"
chroot "$root" sh -c 'apt-get -q update && apt-get -q -y install --no-install-recommends /packages/*.deb' \
  >"$work/install.log"

step "a prediction there"
cp "$source/traces/volta/sgemm_8x8_remapped.sass" "$root/tmp/loop.sass"
chroot "$root" smsim --version
here=$(SMSIM_CONFIG_PATH=$source/configs "$work/smsim" predict "$source/traces/volta/sgemm_8x8_remapped.sass" --warps 4)
there=$(chroot "$root" smsim predict /tmp/loop.sass --warps 4)
sed -n 1,10p <<<"$there"
[[ $there == "$here" ]] || { echo "the installed smsim says something else than the one built here" >&2; exit 1; }
chroot "$root" python3 -c '
import sys, smsim
result = smsim.predict(smsim.read("/tmp/loop.sass"), warps=4)
print(smsim.__version__, result.cycles_per_iteration)
sys.exit(f"{result.cycles_per_iteration:g}" not in sys.argv[1].split())' "$there"

step "the README's C++ snippet, built there with smsim-dev"
chroot "$root" sh -c 'apt-get -q -y install --no-install-recommends g++ pkg-config' >>"$work/install.log"
sed -n '/^```cpp$/,/^```$/p' "$source/README.md" | sed '1d;$d' >"$root/tmp/snippet.cpp"
mkdir -p "$root/tmp/traces/hopper" && cp "$source/traces/hopper/stencil3.sass" "$root/tmp/traces/hopper/"
chroot "$root" sh -c 'cd /tmp && g++ -std=c++20 snippet.cpp -o snippet $(pkg-config --cflags --libs smsim) &&
  ./snippet' | sed -n 1,3p
step "done"
