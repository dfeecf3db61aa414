import { describe, expect, it } from 'vitest';
import { useTestApp } from '#test/support/test-app.ts';

const test = await useTestApp();

const ask = async (path: string) => {
  const { statusCode, headers, body } = await test.app.server.inject(path);
  return { status: statusCode, location: headers.location, body };
};

const ID = '175928847299117063';

describe('the language of an address', () => {
  it.each([
    ['/de/', 301, '/de'],
    ['/pt-br/', 301, '/pt-br'],
    ['/de/donate/', 301, '/de/donate'],
    ['/en', 301, '/'],
    [`/de/${ID}`, 302, `/de?id=${ID}`],
    [`/ar/users/${ID}/`, 302, `/ar?id=${ID}`],
  ])('is kept where another spelling leads: %s', async (path, status, location) => {
    expect(await ask(path)).toMatchObject({ status, location });
  });

  it('is that of the page for what is not there', async () => {
    expect(await ask('/de/nowhere')).toMatchObject({ status: 404, body: '<h1>Page not found</h1>de' });
    expect(await ask('/zh/a/b')).toMatchObject({ status: 404, body: '<h1>Page not found</h1>zh' });
    expect(await ask('/nowhere')).toMatchObject({ status: 404, body: '<h1>Page not found</h1>' });
  });

  it.each(['/DE', '/xx', '/de-de', '/dex', '/en/donate', '/de%2fdonate', '//de', '/de//', '/de/de'])(
    'is one of ours, spelled as in our links: not %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it('is not part of the API', async () => {
    for (const path of ['/de/challenge', '/de/status.json', '/de/assets/app-1a2b3c4d.js'])
      expect((await ask(path)).status).toBe(404);
  });
});
