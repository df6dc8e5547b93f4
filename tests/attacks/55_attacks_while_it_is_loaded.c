// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void attack(void) {
  if (open("@SECRET@", O_RDONLY) >= 0) puts("REACHED: a file");
  if (fork() >= 0) puts("REACHED: fork");
}
