// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/identity.hpp"

#include <cerrno>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"
#include "grader/system/file_descriptor.hpp"

namespace grader {
namespace {

// "nobody" on every Linux, and mapped in most containers. Root itself must
// never stand behind an id of the cell: its files would be open to it, and no
// limit on processes holds for root.
constexpr unsigned unprivileged_id = 65534;

// These files take the whole text in one write.
void write_map(pid_t process, const std::string& name,
               const std::string& text) {
  const std::string path = "/proc/" + std::to_string(process) + "/" + name;
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  check_step(file.is_open() && write(file.get(), text.data(), text.size()) ==
                                   static_cast<ssize_t>(text.size()),
             "write " + name + " of the cell");
}

std::string mapped_to(unsigned outside) {
  std::string text = std::to_string(cell_id);
  return text.append(" ").append(std::to_string(outside)).append(" 1");
}

}  // namespace

void map_identity(pid_t warden) {
  if (geteuid() == 0) {
    write_map(warden, "uid_map", mapped_to(unprivileged_id));
    write_map(warden, "gid_map", mapped_to(unprivileged_id));
    return;
  }
  write_map(warden, "setgroups",
            "deny");  // or the kernel refuses the next but one
  write_map(warden, "uid_map", mapped_to(geteuid()));
  write_map(warden, "gid_map", mapped_to(getegid()));
}

void take_identity() {
  // Where the keeper is not root the id is already this one, and the groups
  // cannot be given up: the kernel has no map for them.
  if (geteuid() != cell_id) {
    check_step(setgroups(0, nullptr) == 0, "give up the user's groups");
  }
  check_step(setresgid(cell_id, cell_id, cell_id) == 0 &&
                 setresuid(cell_id, cell_id, cell_id) == 0,
             "give up the user's id");
}

void give_up_root() {
  if (geteuid() == 0) {
    check_step(
        setgroups(0, nullptr) == 0 &&
            setresgid(unprivileged_id, unprivileged_id, unprivileged_id) == 0 &&
            setresuid(unprivileged_id, unprivileged_id, unprivileged_id) == 0,
        "give up the id of root");
  }
}

void give_to_inmate(const std::filesystem::path& folder) {
  struct stat status {};
  check_step(lstat(folder.c_str(), &status) == 0, "look at " + folder.string());
  // Such as /tmp: nobody's to give.
  const bool is_shared = (status.st_mode & S_IWOTH) != 0;
  if (geteuid() == 0 && !is_shared) {
    check_step(lchown(folder.c_str(), unprivileged_id, unprivileged_id) == 0,
               "hand over " + folder.string());
  }
}

void drop_capabilities() {
  for (unsigned long capability = 0;
       prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    // Without a namespace an ordinary user may not, and gains none either:
    // there are no new privileges.
    check_step(
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0 || errno == EPERM,
        "drop a capability");
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  check_step(syscall(SYS_capset, &header, none) == 0, "drop all capabilities");
}

}  // namespace grader
