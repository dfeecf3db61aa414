// Loaded into the server's process with --import, to look at it from inside. Needs --expose-gc.

export type ProcessState = {
  readonly heapUsed: number;
  /** What `{}` has that it should not. */
  readonly pollution: readonly string[];
};

const PROTOTYPE_KEYS = new Set<PropertyKey>(Reflect.ownKeys(Object.prototype));

process.on('message', () => {
  globalThis.gc?.();
  const state: ProcessState = {
    heapUsed: process.memoryUsage().heapUsed,
    pollution: Reflect.ownKeys(Object.prototype)
      .filter((key) => !PROTOTYPE_KEYS.has(key))
      .map(String),
  };
  process.send?.(state);
});
process.channel?.unref();
