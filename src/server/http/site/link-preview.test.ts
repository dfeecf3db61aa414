import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createLinkPreview } from './link-preview.ts';
import { createStaticFile } from './static-file.ts';

const FIELD = '<input class="a" name="id" required="" value=""/>';
const html = `<head><!--preview--><meta property="og:title" content="Whoflake"/><!--/preview--></head><body><input name="x" value=""/>${FIELD}</body>`;
const page = createStaticFile(() => Buffer.from(html), 'text/html; charset=utf-8');
const { clock } = createFakeSystem({ wallMs: 1_794_700_000_000 });
const site = { platformName: 'A "B" & <C>', publicUrl: 'https://a.example' };
const preview = createLinkPreview({ page, site, clock });
const text = (id: unknown) => preview(id)?.identity.bytes.toString();

describe('createLinkPreview', () => {
  it('tells when the id was created, and nothing else', () => {
    expect(text('175928847299117063')).toBe(
      '<head><meta property="og:url" content="https://a.example/?id=175928847299117063"/>' +
        '<meta property="og:title" content="A &quot;B&quot; &amp; &lt;C> ID 175928847299117063"/>' +
        '<meta property="og:description" content="Created on 30 April 2016 at 11:18 UTC, 10 years, 6 months ago. Open the link to look it up."/>' +
        '</head><body><input name="x" value=""/>' +
        '<input class="a" name="id" required="" value="175928847299117063"/></body>',
    );
  });

  it('works for a page without a field', () => {
    const bare = createStaticFile(() => Buffer.from(html.replace(FIELD, '')), 'text/html');
    const file = createLinkPreview({ page: bare, site, clock })('<@175928847299117063>');
    expect(file?.identity.bytes.toString()).toMatch(/<body><input name="x" value=""\/><\/body>$/);
  });

  it.each(['', 'abc', '"><script>', '0', '9223372036854775807', ['1', '2'], undefined])(
    'is none for %j',
    (id) => {
      expect(preview(id)).toBeNull();
    },
  );
});
