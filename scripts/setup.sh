# shellcheck shell=bash
# Sourced by the other scripts: finds or installs what the project needs.
#
#   set_up_build        compiler, CMake, Ninja, libraries; sets CMAKE and JOBS
#   set_up_python       an interpreter with numpy; exports ATTNGRADE_PYTHON
#   set_up_check_tools  clang, clang-format, clang-tidy
#   set_up_languages    what builds and runs the tests of other languages
#
# Packages are installed only where something is missing: as root, or through
# sudo. Python packages go into .venv, never into the system.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

cmake_floor=3.25
gcc_floor=12

say() {
  printf '%s\n' "$*"
}

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 3
}

# at_least VERSION FLOOR
at_least() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

apt_lists_are_fresh=no

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# install_packages NAME... ; explains what to do where it cannot.
install_packages() {
  local by_hand="apt-get install $*"
  command -v apt-get >/dev/null ||
    fail "missing: $*. There is no apt-get on this machine: install them (the" \
      "names are Debian's) and run this again."
  if [ "$(id -u)" -ne 0 ] && ! may_use_sudo; then
    fail "missing: $*. Neither root nor able to use sudo: ask for" \
      "\`$by_hand\` and run this again."
  fi
  say "installing: $*"
  if [ "$apt_lists_are_fresh" = no ]; then
    as_root apt-get update -qq || say "apt-get update failed; going on"
    apt_lists_are_fresh=yes
  fi
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
    fail "\`$by_hand\` failed; the messages above say why."
}

# With a terminal sudo may ask for the password, without one it must not.
may_use_sudo() {
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }
}

# has_header FILE: below one of the usual include folders
has_header() {
  [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]
}

# runs COMMAND...: it is there and starts (a shim may stand for nothing)
runs() {
  "$@" >/dev/null 2>&1
}

gcc_version() {
  "$1" -dumpfullversion -dumpversion 2>/dev/null
}

set_up_build() {
  local missing=()
  runs g++ --version || missing+=(g++)
  runs ninja --version || missing+=(ninja-build)
  has_header nlohmann/json.hpp || missing+=(nlohmann-json3-dev)
  has_header CLI/CLI.hpp || missing+=(libcli11-dev)
  has_header archive.h || missing+=(libarchive-dev)
  has_header seccomp.h || missing+=(libseccomp-dev)
  runs pkg-config --version || missing+=(pkg-config)
  { runs cmake --version || runs /usr/bin/cmake --version; } || missing+=(cmake)
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
  choose_compiler
  choose_cmake
  choose_jobs
}

# Ubuntu 22.04 calls g++ 11 by that name and has g++-12 beside it.
choose_compiler() {
  [ -z "${CXX:-}" ] || return 0
  at_least "$(gcc_version g++)" "$gcc_floor" && return 0
  runs "g++-$gcc_floor" --version || install_packages "g++-$gcc_floor"
  export CC="gcc-$gcc_floor" CXX="g++-$gcc_floor"
  say "using $CXX: g++ is older than $gcc_floor"
}

# Sets CMAKE. A pip-installed one on PATH is as good as the distribution's.
choose_cmake() {
  local candidate
  for candidate in cmake /usr/bin/cmake "$project/.venv/bin/cmake"; do
    if cmake_is_new_enough "$candidate"; then
      CMAKE=$candidate
      return
    fi
  done
  say "cmake is older than $cmake_floor: installing a newer one into .venv"
  make_venv
  "$project/.venv/bin/python" -m pip install -q "cmake>=$cmake_floor" ||
    fail "cannot install cmake $cmake_floor or newer: no package index" \
      "could be reached. Install it by hand and run this again."
  CMAKE="$project/.venv/bin/cmake"
}

cmake_is_new_enough() {
  local version
  version=$("$1" --version 2>/dev/null | sed -n '1s/.* //p') || return 1
  [ -n "$version" ] && at_least "$version" "$cmake_floor"
}

# One compiler process needs up to 1 GB.
choose_jobs() {
  local free_kilobytes
  JOBS=$(nproc)
  free_kilobytes=$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo)
  if [ -n "$free_kilobytes" ] && [ "$JOBS" -gt $((free_kilobytes / 1000000)) ]; then
    JOBS=$((free_kilobytes / 1000000))
  fi
  [ "$JOBS" -ge 1 ] || JOBS=1
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset" && (cd "$project" && "$CMAKE" --build --preset "$preset" --parallel "$JOBS" \
    ${1:+--target "$@"})
}

# configure PRESET [CMAKE OPTION...]
configure() {
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  (cd "$project" && "$CMAKE" --preset "$1" --log-level=WARNING \
    "${launcher[@]}" "${@:2}" >/dev/null)
}

# Prints the interpreter behind a name or shim, if it has numpy.
python_with_numpy() {
  "$1" -c 'import sys, numpy; print(sys.executable)' 2>/dev/null
}

set_up_python() {
  local candidate found
  for candidate in "${ATTNGRADE_PYTHON:-}" "$project/.venv/bin/python" \
    python3 /usr/bin/python3; do
    [ -n "$candidate" ] || continue
    if found=$(python_with_numpy "$candidate"); then
      export ATTNGRADE_PYTHON=$found
      return
    fi
  done
  say "no python3 with numpy found: making a virtual environment in .venv"
  if make_venv && "$project/.venv/bin/python" -m pip install -q --retries 2 numpy; then
    found=$(python_with_numpy "$project/.venv/bin/python") ||
      fail "numpy is in .venv and does not start: remove .venv and try again."
  else
    say "numpy could not be installed into .venv: using the distribution's"
    install_packages python3-numpy
    found=$(python_with_numpy /usr/bin/python3) ||
      fail "python3-numpy is installed and /usr/bin/python3 cannot import it."
  fi
  export ATTNGRADE_PYTHON=$found
}

# .venv with pip; the python3 on PATH if it can make one, else the system's.
make_venv() {
  local venv=$project/.venv base
  runs "$venv/bin/python" -m pip --version && return 0
  for base in python3 /usr/bin/python3; do
    runs "$base" -c 'import ensurepip, venv' || continue
    "$base" -m venv --clear "$venv" && return 0
  done
  install_packages python3 python3-venv
  /usr/bin/python3 -m venv --clear "$venv"
}

set_up_check_tools() {
  local missing=()
  runs git --version || missing+=(git)
  has_header catch2/catch.hpp || has_header catch2/catch_all.hpp ||
    missing+=(catch2)
  runs clang++ --version || missing+=(clang)
  runs clang-format --version || missing+=(clang-format)
  runs clang-tidy --version || missing+=(clang-tidy)
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

set_up_languages() {
  local missing=()
  runs gfortran --version || missing+=(gfortran)
  runs rustc --version || missing+=(rustc)
  runs node --version || missing+=(nodejs)
  # An interpreter that everybody can read: at L1 root's submissions are nobody's.
  runs /usr/bin/python3 -c 'import numpy' || missing+=(python3-numpy)
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}
