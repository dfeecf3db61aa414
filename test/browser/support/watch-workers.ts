/** Runs in the page: `found` is what its workers find from now on. */
export const watchWorkers = (): void => {
  const found: unknown[] = [];
  Object.assign(globalThis, {
    found,
    Worker: class extends Worker {
      constructor(url: URL, options?: WorkerOptions) {
        super(url, options);
        this.addEventListener('message', ({ data }) => data !== null && found.push(data));
      }
    },
  });
};
