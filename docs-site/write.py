"""The program of `make docs`, which writes the generated files: short tables of docs/, starter kits, sample moments."""

from __future__ import annotations

from pages.blocks import ROOT, written


def main() -> None:
    """Write the files that are out of date, and print their names."""
    for path, text in written().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} written.")


if __name__ == "__main__":
    main()
