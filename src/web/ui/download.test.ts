import { afterEach, expect, it, vi } from 'vitest';
import { download } from './download.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('keeps the content until the browser has had time to fetch it', () => {
  const click = vi.fn();
  vi.stubGlobal('document', { createElement: () => ({ click }) });
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  const timers: { readonly ms: number; readonly task: () => void }[] = [];
  download(new Blob(['x']), 'x.txt', {
    after: (ms, task) => {
      timers.push({ ms, task });
      return () => {};
    },
  });
  expect([click.mock.calls.length, revoke.mock.calls.length]).toEqual([1, 0]);
  expect(timers.map(({ ms }) => ms)).toEqual([60_000]);
  timers[0]?.task();
  expect(revoke).toHaveBeenCalledOnce();
});
