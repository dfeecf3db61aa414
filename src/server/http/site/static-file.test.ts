import { expect, it, vi } from 'vitest';
import { createStaticFile } from './static-file.ts';

it('is made when it is first asked for, once for each encoding, and kept in that alone', () => {
  const make = vi.fn(() => Buffer.from('text'));
  const file = createStaticFile(make, 'text/html');
  expect(make).not.toHaveBeenCalled();
  expect([file.br, file.gzip, file.br, file.gzip]).toHaveLength(4);
  expect(make).toHaveBeenCalledTimes(2);
  expect(file.identity).toBe(file.identity);
  expect(make).toHaveBeenCalledTimes(3);
});
