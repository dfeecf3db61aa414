import { expect, it } from 'vitest';
import { headerOf, openPort, rawExchange } from '#test/attacks/raw-exchange.ts';
import { useTestApp } from '#test/support/test-app.ts';

const test = await useTestApp();
const port = await openPort(test.app);

const SENSITIVE = String.raw`
  /.git/config /.env /package.json /server/entry-render.js /index.html /data/whoflake.sqlite
  /metrics /assets/ /assets/../../package.json /assets/..%2f..%2fpackage.json
  /assets/%2e%2e/%2e%2e/package.json /assets\..\..\package.json /assets/..;/package.json
  /assets/.%00./package.json /assets/app-1a2b3c4d.js.map /assets/app-1a2b3c4d.js%00.map
  /assets/app-1a2b3c4d.js/ /ASSETS/app-1a2b3c4d.js //assets/app-1a2b3c4d.js //evil.example/
  /etc/passwd /challenge/ /challenge;jsessionid=1 /${'1'.repeat(20)} /0175928847299117063 /users
  /users/lounge /users/175928847299117063/x /users//175928847299117063 /175928847299117063//
  //donate/ /%2fdonate/ /\donate/ /__proto__
`;
/** Not ours, not spelled as in our links, or where there are no pages. */
const NO_LANGUAGES = String.raw`
  /DE /xx /de-de /dex /en/donate /de%2fdonate //de /de// /de/de /de/challenge /de/status.json
  /de/assets/app-1a2b3c4d.js
`;

it.each(`${SENSITIVE} ${NO_LANGUAGES}`.trim().split(/\s+/))('there is nothing at %s', async (path) => {
  for (const method of ['GET', 'HEAD', 'POST']) {
    const answer = await rawExchange(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([method, answer?.status]).toEqual([method, 404]);
    expect(answer?.headers.find(([name]) => name === 'location')).toBeUndefined();
    expect(answer?.body).not.toMatch(/whoflake_|"name": ?"|#!/);
  }
});

const ID = '175928847299117063';

it.each([
  [`/${ID}`, 302, `/?id=${ID}`],
  [`/users/${ID}/?from=app`, 302, `/?id=${ID}`],
  // The page says what is wrong with it.
  ['/9223372036854775808', 302, '/?id=9223372036854775808'],
  ['/status/', 301, '/status'],
  [`/de/?id=${ID}`, 301, `/de?id=${ID}`],
  ['/en', 301, '/'],
  [`/de/${ID}`, 302, `/de?id=${ID}`],
])('%s answers %i and leads to %s', async (path, status, location) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await rawExchange(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([answer?.status, answer && headerOf(answer, 'location')]).toEqual([status, location]);
  }
  expect((await rawExchange(port, `POST ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))?.status).toBeOneOf([404, 405]);
});

it('a lookup is never made by opening a link', async () => {
  const before = test.sandbox.stats().requests;
  for (const path of [`/${ID}`, `/users/${ID}`, `/?id=${ID}`]) await test.app.server.inject(path);
  expect(test.sandbox.stats().requests).toBe(before);
});

it.each([
  ['/nothing-here', ''],
  ['/de/nowhere', 'de'],
  ['/zh/a/b', 'zh'],
])('answers the unknown page %s in its language', async (path, language) => {
  const { statusCode, headers, body } = await test.app.server.inject(path);
  expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(body).toBe(`<h1>Page not found</h1>${language}`);
});
