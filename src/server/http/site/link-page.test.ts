import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createLinkPage, LINK_GAPS } from './language-pages.ts';

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
