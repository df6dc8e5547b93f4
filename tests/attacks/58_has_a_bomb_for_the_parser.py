# SPDX-License-Identifier: MIT
@PARENTHESES@
