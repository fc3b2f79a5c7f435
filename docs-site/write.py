"""`make docs`: writes the short tables of docs/, the starter kits and the sample moments from what they describe."""

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
