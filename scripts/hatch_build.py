"""Compiles the content into the wheel; a faulty bank stops the build."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ContentBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes content/compiled.msgpack beside the content files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        source = Path(self.root) / "src"
        sys.path.insert(0, str(source))
        try:
            from burnin.catalog.compiling import COMPILED, compile_folder, pack
        finally:
            sys.path.remove(str(source))
        content = source / "burnin" / "content"
        bundle, problems = compile_folder(content)
        if problems:
            raise ValueError("content is faulty:\n" + "\n".join(map(str, problems)))
        compiled = Path(self.directory) / COMPILED
        compiled.parent.mkdir(parents=True, exist_ok=True)
        compiled.write_bytes(pack(bundle))
        build_data["force_include"][str(compiled)] = f"burnin/content/{COMPILED}"
