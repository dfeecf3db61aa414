import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createLinkPreview } from './link-preview.ts';
import { createStaticFile } from './static-file.ts';

const html =
  '<head><!--preview--><meta property="og:title" content="Whoflake"/><!--/preview--></head><body>x</body>';
const page = createStaticFile(Buffer.from(html), 'text/html; charset=utf-8', 'no-cache');
const { clock } = createFakeSystem({ wallMs: 1_794_700_000_000 });
const preview = createLinkPreview(page, 'A "B" & <C>', clock);
const text = (id: unknown) => preview(id)?.identity.bytes.toString();

describe('createLinkPreview', () => {
  it('tells the day the id was made, and nothing else', () => {
    expect(text('175928847299117063')).toBe(
      '<head><meta property="og:title" content="A &quot;B&quot; &amp; &lt;C> ID 175928847299117063"/>' +
        '<meta property="og:description" content="Created on 2016-04-30 at 11:18 UTC. Open the link to look it up."/>' +
        '</head><body>x</body>',
    );
  });

  it.each(['', 'abc', '"><script>', '0', '9223372036854775807', ['1', '2'], undefined])(
    'is none for %j',
    (id) => {
      expect(preview(id)).toBeNull();
    },
  );
});
