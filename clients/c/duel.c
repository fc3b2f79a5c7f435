/* Fights of heartrush-env in C, without Python and without a server: the rules are a WebAssembly module.

     heartrush machine wasm . --for duel --header      writes engine.wasm and duel.h, among others
     cc duel.c -I wasmtime/include -L wasmtime/lib -lwasmtime -o duel
     ./duel [SEED [CHOICES]]

   It needs Wasmtime's C API, version 50 or newer: https://github.com/bytecodealliance/wasmtime/releases. Each agent
   plays its first legal action, or for each digit of CHOICES the legal action with that number, so that "012" are
   three choices. Equal seeds and choices give equal fights, byte for byte, in C, Python and JavaScript. */

#include "duel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasmtime.h>

static wasmtime_context_t *context;
static wasmtime_func_t kernel;
static wasmtime_memory_t memory;

static void fail(const char *expected) {
  fprintf(stderr, "duel: expected %s.\n", expected);
  exit(1);
}

/* Return the fight in the memory of the module. The address may change while the kernel runs. */
static struct duel *fight(void) { return (struct duel *)(wasmtime_memory_data(context, &memory) + DUEL_ADDRESS); }

/* Load the module, and lay out a fight in its memory. One instance plays one fight; make more for more. */
static void load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("the module engine.wasm in this folder");
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  uint8_t *bytes = malloc(size);
  rewind(file);
  if (fread(bytes, 1, size, file) != (size_t)size) fail("a module that can be read");
  fclose(file);
  const size_t named = strlen(DUEL_MODULE);
  if ((size_t)size < named || memcmp(bytes + size - named, DUEL_MODULE, named))
    fail("the engine.wasm that was written with duel.h");

  wasm_engine_t *engine = wasm_engine_new();
  context = wasmtime_store_context(wasmtime_store_new(engine, NULL, NULL));
  wasmtime_module_t *module;
  wasmtime_instance_t instance;
  wasmtime_extern_t item;
  wasm_trap_t *trap = NULL;
  if (wasmtime_module_new(engine, bytes, size, &module)) fail("a WebAssembly module");
  if (wasmtime_instance_new(context, module, NULL, 0, &instance, &trap) || trap) fail("a module without imports");
  free(bytes);
  if (!wasmtime_instance_export_get(context, &instance, DUEL_KERNEL, strlen(DUEL_KERNEL), &item))
    fail("a module with the kernel of duels");
  kernel = item.of.func;
  wasmtime_instance_export_get(context, &instance, "memory", 6, &item);
  memory = item.of.memory;

  const uint64_t page = 65536, end = DUEL_ADDRESS + sizeof(struct duel);
  uint64_t has = wasmtime_memory_data_size(context, &memory), before;
  if (end > has && wasmtime_memory_grow(context, &memory, (end - has + page - 1) / page, &before))
    fail("memory for a fight");
  uint8_t *at = (uint8_t *)fight();
  for (size_t run = 0; run < sizeof duel_memory / sizeof *duel_memory; run++) {
    memset(at, duel_memory[run].byte, duel_memory[run].count);
    at += duel_memory[run].count;
  }
}

/* Start a fight, or play one window with the actions in fight()->actions. */
static void play(int doing) {
  const int32_t words = DUEL_ADDRESS; /* the result, the error, and the arguments */
  fight()->words[DUEL_DOING] = doing;
  wasmtime_val_t given[3] = {{.kind = WASMTIME_I32, .of.i32 = words}, {.kind = WASMTIME_I32, .of.i32 = words + 8},
                             {.kind = WASMTIME_I64, .of.i64 = words + 16}};
  wasmtime_val_t fault;
  wasm_trap_t *trap = NULL;
  if (wasmtime_func_call(context, &kernel, given, 3, &fault, 1, &trap) || trap || fault.of.i32)
    fail("a kernel without a fault");
}

static void start(int64_t seed, int64_t number) {
  fight()->words[DUEL_SEED] = seed;
  fight()->words[DUEL_NUMBERS_GIVEN] = 1;
  fight()->numbers[0] = number;
  play(DUEL_START);
}

/* Print the events of the last window: the fields of an event tell more (struct duel_events). */
static void tell(void) {
  const struct duel_logs *log = fight()->logs;
  for (int k = 0; k < log->count; k++) {
    const struct duel_events *event = &log->events[k];
    printf("%s", duel_events[event->kind]);
    if (event->fighter >= 0) printf(" %s", duel_agents[event->fighter]);
    if (event->other >= 0) printf(" %s", duel_agents[event->other]);
    printf(" %d %d %d\n", event->amount, event->before, event->after);
  }
}

int main(int count, char **words) {
  const char *choices = count > 2 ? words[2] : "";
  load("engine.wasm");
  start(count > 1 ? strtoll(words[1], NULL, 10) : 7, 0);
  while (tell(), !fight()->ended[0]) {
    for (int agent = 0; agent < DUEL_AGENTS; agent++) {
      const int8_t *mask = fight()->masks + agent * DUEL_ACTIONS;
      int wanted = *choices ? *choices++ - '0' : 0, chosen = 0;
      for (int action = 0; action < DUEL_ACTIONS; action++)
        if (mask[action] && wanted-- >= 0) chosen = action;
      fight()->actions[agent] = chosen;
      printf("%s: %s\n", duel_agents[agent], duel_actions[chosen]);
    }
    play(DUEL_STEP);
  }
  for (int agent = 0; agent < DUEL_AGENTS; agent++) printf("%s %+g\n", duel_agents[agent], fight()->rewards[agent]);
  return 0;
}
