/** For `vi.waitFor`, which gives up after a second. Just short of a test's own limit, so that it still tells what it waited for. */
export const EVENTUALLY = { timeout: 100_000, interval: 20 };
