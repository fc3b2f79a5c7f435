"""The closed module of a compiled kernel, which exports the kernel and holds nothing that the kernel does not use."""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm

from heartrush_env.tabletop.errors import HeartRushError


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


def _drop_unused(module: Any) -> None:
    """Remove the functions and global variables that no exported symbol uses."""
    if hasattr(llvm, "create_module_pass_manager"):  # llvmlite 0.44: its new pass manager lacks this pass
        passes = llvm.create_module_pass_manager()
        passes.add_global_dce_pass()
        passes.run(module)
        return
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
