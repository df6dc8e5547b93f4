// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/root.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/report.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// What every program needs: the system's programs and libraries, and where the
// loader finds them. No other file of /etc.
constexpr const char* system_files[] = {"/usr",
                                        "/bin",
                                        "/lib",
                                        "/lib32",
                                        "/lib64",
                                        "/libx32",
                                        "/etc/ld.so.cache",
                                        "/etc/alternatives"};

constexpr const char* devices[] = {"/dev/null", "/dev/zero", "/dev/full",
                                   "/dev/random", "/dev/urandom"};

constexpr std::uint64_t read_only_attributes =
    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
// Writing to a device is not writing to its file system.
constexpr std::uint64_t device_attributes =
    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;

// The new root stands here while the old one is still below. It exists on every
// machine, and nothing in it is needed any more.
constexpr const char* building_site = "/usr";

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

void set_attributes(int tree, std::uint64_t attributes,
                    const std::string& name) {
  mount_attr wanted{};
  wanted.attr_set = attributes;
  check_step(mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &wanted,
                           sizeof wanted) == 0,
             "protect " + name + " in the cell");
}

void open_tree_of(const fs::path& path, std::uint64_t attributes,
                  std::vector<Tree>& trees) {
  FileDescriptor tree(open_tree(AT_FDCWD, path.c_str(),
                                OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
                                    static_cast<unsigned>(AT_RECURSIVE)));
  if (!tree.is_open() && (errno == ENOENT || errno == ENOTDIR)) {
    return;
  }
  check_step(tree.is_open(), "show " + path.string() + " in the cell");
  set_attributes(tree.get(), attributes, path.string());
  trees.push_back({path, std::move(tree)});
}

// Sorted, without what is inside another one.
std::vector<fs::path> outermost(std::vector<fs::path> paths) {
  for (fs::path& path : paths) {
    path = path.lexically_normal();
    if (!path.has_filename()) {
      path = path.parent_path();  // "/opt/python/"
    }
  }
  std::ranges::sort(paths);
  std::vector<fs::path> result;
  for (const fs::path& path : paths) {
    if (result.empty() || !is_inside(path, result.back())) {
      result.push_back(path);
    }
  }
  return result;
}

// Below the folder that the process is in, which will be the root.
fs::path below(const fs::path& path) {
  return path.relative_path();
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(below(path), error);
  errno = error.value();
  check_step(!error, "make " + path.string() + " in the cell");
}

void make_file(const fs::path& path, const std::string& text) {
  make_folders(path.parent_path());
  const FileDescriptor file(open(
      below(path).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0444));
  check_step(file.is_open() && write(file.get(), text.data(), text.size()) ==
                                   static_cast<ssize_t>(text.size()),
             "write " + path.string() + " in the cell");
}

void mount_tmpfs(const fs::path& where, unsigned long flags,
                 const std::string& data) {
  check_step(
      mount("tmpfs", where.c_str(), "tmpfs", flags, data.c_str()) == 0,
      "mount a file system in memory on " + where.string() + " in the cell");
}

std::string scratch_size(const CellOptions& options) {
  return "mode=0700,size=" + std::to_string(options.disk) +
         ",nr_inodes=" + std::to_string(options.files);
}

// One disk, and so one limit, for /tmp and for the working directory, which is
// elsewhere where TMPDIR is.
void mount_scratch(const CellOptions& options) {
  make_folders("/tmp");
  mount_tmpfs(below("/tmp"), MS_NOSUID | MS_NODEV, scratch_size(options));
  make_folders(options.work);
  if (!is_inside(options.work, "/tmp")) {
    check_step(mount(below("/tmp").c_str(), below(options.work).c_str(),
                     nullptr, MS_BIND, nullptr) == 0,
               "mount " + options.work.string() + " in the cell");
  }
}

void attach(const Tree& tree) {
  struct stat status {};
  check_step(fstat(tree.tree.get(), &status) == 0,
             "look at " + tree.place.string());
  if (S_ISDIR(status.st_mode)) {
    make_folders(tree.place);
  } else {
    make_file(tree.place, "");
  }
  check_step(
      move_mount(tree.tree.get(), "", AT_FDCWD, below(tree.place).c_str(),
                 MOVE_MOUNT_F_EMPTY_PATH) == 0,
      "mount " + tree.place.string() + " in the cell");
}

// Only its own processes, and of those only its own. Needs the old one, which
// is still mounted below. Where that is masked, as in most containers, the
// kernel grants no new one: then the cell has none.
void mount_proc() {
  make_folders("/proc");
  mount("proc", below("/proc").c_str(), "proc",
        MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2");
}

void add_small_files() {
  const std::string id = std::to_string(cell_id);
  make_file("/etc/passwd",
            "candidate:x:" + id + ":" + id + "::/tmp:/bin/false\n");
  make_file("/etc/group", "candidate:x:" + id + ":\n");
  make_folders("/dev");
  check_step(symlink("/tmp", "dev/shm") == 0 &&
                 symlink("/proc/self/fd", "dev/fd") == 0,
             "make the links in /dev of the cell");
}

void hide(const fs::path& folder) {
  if (fs::is_directory(below(folder))) {
    mount_tmpfs(below(folder), MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k");
  }
}

void enter_root() {
  check_step(syscall(SYS_pivot_root, ".", ".") == 0 &&
                 umount2(".", MNT_DETACH) == 0 && chdir("/") == 0,
             "make the new root that of the cell");
  mount_attr read_only{};
  read_only.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC;
  check_step(mount_setattr(AT_FDCWD, "/", 0, &read_only, sizeof read_only) == 0,
             "write-protect the root of the cell");
}

}  // namespace

std::vector<fs::path> visible_paths(const CellOptions& options) {
  std::vector<fs::path> paths(std::begin(system_files), std::end(system_files));
  paths.insert(paths.end(), options.shown.begin(), options.shown.end());
  return outermost(std::move(paths));
}

std::vector<fs::path> device_paths() {
  return {std::begin(devices), std::end(devices)};
}

std::vector<Tree> open_trees(const CellOptions& options) {
  std::vector<Tree> trees;
  for (const fs::path& path : visible_paths(options)) {
    open_tree_of(path, read_only_attributes, trees);
  }
  for (const fs::path& device : device_paths()) {
    open_tree_of(device, device_attributes, trees);
  }
  return trees;
}

void build_root(const CellOptions& options, const std::vector<Tree>& trees) {
  umask(022);
  check_step(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0,
             "keep the mounts of the cell from the machine");
  mount_tmpfs(building_site, MS_NOSUID | MS_NODEV, "mode=0755,size=1m");
  check_step(chdir(building_site) == 0, "enter the new root of the cell");
  mount_scratch(options);
  for (const Tree& tree : trees) {
    attach(tree);
  }
  std::ranges::for_each(options.hidden, hide);
  mount_proc();
  add_small_files();
  enter_root();
}

}  // namespace grader
