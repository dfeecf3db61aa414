import { gunzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { createLinkPage, LINK_GAPS } from './language-pages.ts';
import { createStaticFile } from './static-file.ts';

const LINKED = { ...LINK_GAPS, id: '1', created: '4 May 2018', age: '8 "years" <b>&\\' };

it('fills the gaps of a page that is rendered once, with nothing that could be markup', () => {
  let renders = 0;
  const fill = createLinkPage(() => {
    renders += 1;
    return `<p title="${LINK_GAPS.created}">${LINK_GAPS.id} {{${LINK_GAPS.age}</p>{x}`;
  });
  expect(fill(LINKED).identity.bytes.toString()).toBe('<p title="4 May 2018">1 {{8 years b</p>{x}');
  const { gzip, identity } = fill({ ...LINKED, id: '2' });
  expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(identity.bytes.toString());
  expect(identity.bytes.toString()).toContain('>2 ');
  expect(gzip?.etag).not.toBe(fill(LINKED).gzip?.etag);
  expect(renders).toBe(1);
});

it('a file is made when it is first asked for, once for each encoding, and kept in that alone', () => {
  const make = vi.fn(() => Buffer.from('text'));
  const file = createStaticFile(make, 'text/html');
  expect(make).not.toHaveBeenCalled();
  expect([file.br, file.gzip, file.br, file.gzip]).toHaveLength(4);
  expect(make).toHaveBeenCalledTimes(2);
  expect(file.identity).toBe(file.identity);
  expect(make).toHaveBeenCalledTimes(3);
});
