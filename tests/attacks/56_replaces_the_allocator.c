// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdlib.h>
void *malloc(size_t size) { (void)size; return 0; }
