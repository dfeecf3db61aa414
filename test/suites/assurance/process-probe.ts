// Loaded into the server's process with --import, to look at it from inside. Needs --expose-gc.

export type ProcessState = {
  readonly heapUsed: number;
  /** What `{}` has that it should not. */
  readonly pollution: readonly string[];
};

const PROTOTYPE_KEYS = new Set<PropertyKey>(Reflect.ownKeys(Object.prototype));

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const keys = Reflect.ownKeys(Object.prototype).filter((key) => !PROTOTYPE_KEYS.has(key));
  const state: ProcessState = { heapUsed: process.memoryUsage().heapUsed, pollution: keys.map(String) };
  process.stdout.write(`probe ${JSON.stringify(state)}\n`);
});
