"""The closed module of a compiled kernel, which exports the kernel and holds nothing that the kernel does not use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.errors import HeartRushError

LEGACY: Final = hasattr(llvm, "create_module_pass_manager")  # llvmlite 0.44, whose new pass manager lacks these passes


def close_module(program: Any, symbol: str) -> Any:
    """Return the LLVM module of a compiled kernel, which holds and exports only the kernel, under its symbol.

    Raises:
        HeartRushError: The kernel calls a function that the module lacks, such as Numba's to allocate an array.
    """
    # Numba keeps this module on disk beside the machine code, so a kernel that was compiled earlier has it, too.
    module = llvm.parse_bitcode(program.library._get_module_for_linking().as_bitcode())  # noqa: SLF001
    for own in (*module.functions, *module.global_variables):
        if not own.is_declaration:
            own.linkage = llvm.Linkage.internal
    entry = module.get_function(program.fndesc.llvm_func_name)
    entry.name, entry.linkage = symbol, llvm.Linkage.external
    _drop_unused(module)  # such as Numba's reference counting, which a kernel never calls
    if missing := [own.name for own in module.functions if own.is_declaration and not own.name.startswith("llvm.")]:
        raise HeartRushError(f"{symbol}: expected a kernel that calls nothing outside itself, got {missing[0]}.")
    return module


def join_modules(modules: Iterable[Any], more: str = "") -> Any:
    """Return one module of closed modules and of the text `more`; it holds equal tables and functions only once."""
    whole = llvm.parse_assembly(more)
    for module in modules:
        whole.link_in(module, preserve=True)
    run_passes(whole, "constant_merge", "merge_functions")
    return whole


def _drop_unused(module: Any) -> None:
    """Remove the functions and global variables that no exported symbol uses."""
    run_passes(module, "global_dce" if LEGACY else "global_dead_code_eliminate")


def run_passes(module: Any, *passes: str) -> None:
    """Run some of LLVM's passes on a module, by llvmlite's names for them."""
    manager = llvm.create_module_pass_manager() if LEGACY else llvm.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    if LEGACY:
        manager.run(module)
    else:
        machine = llvm.Target.from_default_triple().create_target_machine(opt=3)
        manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
