import { expect, it, onTestFinished, vi } from 'vitest';
import { download } from './download.ts';

it('a download keeps its content for the minute in which the browser may fetch it', () => {
  onTestFinished(() => void vi.unstubAllGlobals().restoreAllMocks());
  const click = vi.fn();
  vi.stubGlobal('document', { createElement: () => ({ click }) });
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  const timers = new Map<number, () => void>();
  download(new Blob(['x']), 'x.txt', { after: (ms, task) => (timers.set(ms, task), () => undefined) });
  expect([click.mock.calls.length, revoke.mock.calls.length]).toEqual([1, 0]);
  timers.get(60_000)?.();
  expect(revoke).toHaveBeenCalledOnce();
});
