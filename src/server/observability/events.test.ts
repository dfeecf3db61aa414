import { expect, it } from 'vitest';
import { StorageFault } from '#server/storage/storage-fault.ts';
import { createEvents } from './events.ts';
import { createLogger } from './logger.ts';

it.each([
  ['storage-failed', new StorageFault('53300')],
  ['storage-failed', new StorageFault('ECONNREFUSED')],
  ['storage-full', new StorageFault('53100')],
  ['request-failed', new StorageFault('42601')],
  ['request-failed', new TypeError('ours')],
])('a request that fails is logged as %s: %s', (event, error) => {
  const lines: string[] = [];
  createEvents(createLogger('info', { write: (line) => lines.push(line) })).requestFailed(error);
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ event })]);
});
