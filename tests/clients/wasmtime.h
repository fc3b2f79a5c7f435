/* What clients/c needs of Wasmtime's C API, version 50, whose headers the Python package `wasmtime` lacks. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WASMTIME_I32, WASMTIME_I64 };

typedef struct wasm_engine_t wasm_engine_t;
typedef struct wasm_trap_t wasm_trap_t;
typedef struct wasmtime_context wasmtime_context_t;
typedef struct wasmtime_error wasmtime_error_t;
typedef struct wasmtime_module wasmtime_module_t;
typedef struct wasmtime_store wasmtime_store_t;

typedef struct { uint64_t store_id; size_t number; } wasmtime_instance_t;
typedef struct { uint64_t store_id; void *code; } wasmtime_func_t;
typedef struct { struct { uint64_t store_id; uint32_t first; } known; uint32_t second; } wasmtime_memory_t;
typedef struct {
  uint8_t kind;
  union { wasmtime_func_t func; wasmtime_memory_t memory; uint64_t largest[3]; } of;
} wasmtime_extern_t;
typedef struct {
  uint8_t kind;
  union { int32_t i32; int64_t i64; struct { uint64_t store_id; uint32_t first, second; void *third; } largest; } of;
} wasmtime_val_t;

wasm_engine_t *wasm_engine_new(void);
wasmtime_store_t *wasmtime_store_new(wasm_engine_t *, void *data, void (*free)(void *));
wasmtime_context_t *wasmtime_store_context(wasmtime_store_t *);
wasmtime_error_t *wasmtime_module_new(wasm_engine_t *, const uint8_t *, size_t, wasmtime_module_t **);
wasmtime_error_t *wasmtime_instance_new(wasmtime_context_t *, const wasmtime_module_t *, const wasmtime_extern_t *, size_t,
                                        wasmtime_instance_t *, wasm_trap_t **);
bool wasmtime_instance_export_get(wasmtime_context_t *, const wasmtime_instance_t *, const char *, size_t,
                                  wasmtime_extern_t *);
uint8_t *wasmtime_memory_data(const wasmtime_context_t *, const wasmtime_memory_t *);
size_t wasmtime_memory_data_size(const wasmtime_context_t *, const wasmtime_memory_t *);
wasmtime_error_t *wasmtime_memory_grow(wasmtime_context_t *, const wasmtime_memory_t *, uint64_t, uint64_t *);
wasmtime_error_t *wasmtime_func_call(wasmtime_context_t *, const wasmtime_func_t *, const wasmtime_val_t *, size_t,
                                     wasmtime_val_t *, size_t, wasm_trap_t **);
