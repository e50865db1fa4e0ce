# SPDX-License-Identifier: MIT
"""The exception that smsim raises."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """Something is wrong with a program, a request or an architecture.

    str() is what the command line would print. The attributes are those of the first finding.
    """

    def __init__(self, text: str, diagnostics: list[dict[str, Any]]) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else {}
        self.kind: str = first.get("kind", "internal")
        self.message: str = first.get("message", text)
        self.file: str = first.get("file", "")
        self.line: int = first.get("line", 0)
        self.column: int = first.get("column", 0)
        self.hint: str = first.get("hint", "")
