"""`make docs`: writes what is generated in the repository: short tables of docs/, starter kits and sample moments."""

from __future__ import annotations

from pages.blocks import ROOT, written


def main() -> None:
    """Write the files that are out of date, and name them."""
    for path, text in written().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} written.")


if __name__ == "__main__":
    main()
