import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger, withoutWaiting } from './logger.ts';

it('the log neither waits for a reader nor keeps all that nobody reads, and goes on with the next one', () => {
  const written: string[] = [];
  let goOn = (): void => {};
  const output = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      written.push(line);
      goOn = done;
    },
  });
  const logger = createLogger('info', withoutWaiting(output));
  for (let n = 0; n < 3_000; n += 1) logger.info({ n }, 'x'.repeat(1_000));
  expect(written).toHaveLength(1);
  expect(output.writableLength).toBeLessThan(1.1 * 2 ** 20);
  while (output.writableLength > 0) goOn();
  logger.info('read again');
  expect(written.at(-1)).toContain('read again');
  expect(written.length).toBeLessThan(1_100);
});
