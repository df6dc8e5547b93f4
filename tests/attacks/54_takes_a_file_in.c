// SPDX-License-Identifier: MIT
__asm__(".section .rodata\n.incbin \"@SECRET@\"\n");
