import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createLinkPreview } from './link-preview.ts';
import { createStaticFile } from './static-file.ts';

const FIELD = '<input class="a" name="id" required="" value=""/>';
const html = `<head><!--preview--><meta property="og:title" content="Whoflake"/><!--/preview--></head><body><input name="x" value=""/>${FIELD}</body>`;
const linkPage = createStaticFile(() => Buffer.from(html), 'text/html; charset=utf-8');
const { clock } = createFakeSystem({ wallMs: 1_794_700_000_000 });
const pages = {
  linkPage,
  describeLink: (id: string) => ({ title: `A "B" & <C> ID ${id}`, description: 'Created once' }),
  urlOf: (path: string) => `https://a.example/de${path}`,
};
const preview = createLinkPreview({ pages, clock });
const text = (id: unknown) => preview(id)?.identity.bytes.toString();

describe('createLinkPreview', () => {
  it('tells what there is to say of the id, escaped', () => {
    expect(text('175928847299117063')).toBe(
      '<head><meta property="og:url" content="https://a.example/de/?id=175928847299117063"/>' +
        '<meta property="og:title" content="A &quot;B&quot; &amp; &lt;C> ID 175928847299117063"/>' +
        '<meta property="og:description" content="Created once"/>' +
        '</head><body><input name="x" value=""/>' +
        '<input class="a" name="id" required="" value="175928847299117063"/></body>',
    );
  });

  it('works for a page without a field', () => {
    const bare = createStaticFile(() => Buffer.from(html.replace(FIELD, '')), 'text/html');
    const file = createLinkPreview({ pages: { ...pages, linkPage: bare }, clock })('<@175928847299117063>');
    expect(file?.identity.bytes.toString()).toMatch(/<body><input name="x" value=""\/><\/body>$/);
  });

  it.each(['', 'abc', '"><script>', '0', '9223372036854775807', ['1', '2'], undefined])(
    'is none for %j',
    (id) => {
      expect(preview(id)).toBeNull();
    },
  );
});
