/** Loads at the first call and remembers it; after a failure the next call tries again. */
export const loadOnce = (load: () => Promise<void>): (() => Promise<void>) => {
  let loading: Promise<void> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
};
