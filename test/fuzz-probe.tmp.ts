import { connect } from 'node:net';
import { startTestApp } from '#test/support/test-app.ts';
const t = await startTestApp();
await t.app.server.listen({ host: '127.0.0.1', port: 0 });
const { port } = t.app.server.server.address() as { port: number };
const raw = (bytes: string | Buffer, waitMs = 400): Promise<string> =>
  new Promise((res) => {
    const s = connect(port, '127.0.0.1');
    let out = '';
    s.on('data', (d) => (out += d.toString('latin1')));
    s.on('close', () => res(out));
    s.on('error', () => res(out + 'ERR'));
    s.write(bytes);
    setTimeout(() => {
      s.destroy();
      res(out);
    }, waitMs);
  });
const H = 'Host: x\r\n';
const post = (ct: string, body: string, extra = '') =>
  `POST /lookup HTTP/1.1\r\n${H}${ct}${extra}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const J = 'Content-Type: application/json\r\n';
const cases: Record<string, string | Buffer> = {
  garbage: 'hello\r\n\r\n',
  nohost: 'GET / HTTP/1.1\r\n\r\n',
  badurl: `GET /%zz HTTP/1.1\r\n${H}\r\n`,
  badurl2: `GET /assets/%ff HTTP/1.1\r\n${H}\r\n`,
  absolute: `GET http://evil/ HTTP/1.1\r\n${H}\r\n`,
  absoluteZ: `GET http://evil/%zz HTTP/1.1\r\n${H}\r\n`,
  star: `OPTIONS * HTTP/1.1\r\n${H}\r\n`,
  connect: `CONNECT a:1 HTTP/1.1\r\n${H}\r\n`,
  upgrade: `GET / HTTP/1.1\r\n${H}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  expect: `POST /lookup HTTP/1.1\r\n${H}${J}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  expect2: `POST /lookup HTTP/1.1\r\n${H}${J}Expect: foo\r\nContent-Length: 2\r\n\r\n{}`,
  trace: `TRACE / HTTP/1.1\r\n${H}\r\n`,
  options: `OPTIONS /lookup HTTP/1.1\r\n${H}\r\n`,
  put: `PUT /lookup HTTP/1.1\r\n${H}Content-Length: 0\r\n\r\n`,
  del: `DELETE /nothing HTTP/1.1\r\n${H}\r\n`,
  propfind: `PROPFIND / HTTP/1.1\r\n${H}\r\n`,
  weird: `QUERY / HTTP/1.1\r\n${H}\r\n`,
  unknownm: `FOO / HTTP/1.1\r\n${H}\r\n`,
  head: `HEAD / HTTP/1.1\r\n${H}\r\n`,
  headch: `HEAD /challenge HTTP/1.1\r\n${H}\r\n`,
  headnf: `HEAD /nope HTTP/1.1\r\n${H}\r\n`,
  headlookup: `HEAD /lookup HTTP/1.1\r\n${H}\r\n`,
  big: post(J, '{"discord_id":"' + 'x'.repeat(5000) + '"}'),
  bigchunk: `POST /lookup HTTP/1.1\r\n${H}${J}Transfer-Encoding: chunked\r\n\r\n1400\r\n${'x'.repeat(0x1400)}\r\n0\r\n\r\n`,
  header431: `GET / HTTP/1.1\r\n${H}X-A: ${'a'.repeat(9000)}\r\n\r\n`,
  url431: `GET /${'a'.repeat(9000)} HTTP/1.1\r\n${H}\r\n`,
  protohdr: `GET /challenge HTTP/1.1\r\n${H}__proto__: x\r\nconstructor: y\r\n\r\n`,
  empty: post(J, ''),
  trunc: post(J, '{"discord_id":"1'),
  proto: post(J, '{"__proto__":{"a":1}}'),
  ctor: post(J, '{"constructor":{"prototype":{}}}'),
  arr: post(J, '[]'),
  nul: post(J, 'null'),
  str: post(J, '"x"'),
  dup: post(J, '{"discord_id":"1","discord_id":"2"}'),
  deep: post(J, '['.repeat(2000) + ']'.repeat(2000)),
  deepobj: post(J, '{"a":'.repeat(700) + '1' + '}'.repeat(700)),
  surrogate: post(J, '{"discord_id":"\\ud800","proof":"x"}'),
  badutf8: Buffer.concat([
    Buffer.from(`POST /lookup HTTP/1.1\r\n${H}${J}Content-Length: 24\r\n\r\n{"discord_id":"`),
    Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
    Buffer.from('"}'),
  ]),
  smug: `POST /lookup HTTP/1.1\r\n${H}${J}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  twocl: `POST /lookup HTTP/1.1\r\n${H}${J}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  http10: 'GET / HTTP/1.0\r\n\r\n',
  http09: 'GET /\r\n\r\n',
  http2: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  badver: `GET / HTTP/9.9\r\n${H}\r\n`,
  twohost: `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
  getbody: `GET /challenge HTTP/1.1\r\n${H}${J}Content-Length: 2\r\n\r\n{}`,
  getbodyct: `GET /challenge HTTP/1.1\r\n${H}Content-Type: text/xml\r\nContent-Length: 2\r\n\r\n{}`,
  ctws: post(' Content-Type: application/json\r\n', '{}'),
  nulpath: `GET /\0 HTTP/1.1\r\n${H}\r\n`,
  utf8path: `GET /é HTTP/1.1\r\n${H}\r\n`,
  semicolon: `GET /challenge;x HTTP/1.1\r\n${H}\r\n`,
  slashslash: `GET //challenge HTTP/1.1\r\n${H}\r\n`,
  enc: `GET /%63hallenge HTTP/1.1\r\n${H}\r\n`,
  dots: `GET /assets/../challenge HTTP/1.1\r\n${H}\r\n`,
  postpage: `POST / HTTP/1.1\r\n${H}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi`,
  postnf: `POST /nope HTTP/1.1\r\n${H}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi`,
  postnfbig: `POST /nope HTTP/1.1\r\n${H}Content-Type: text/plain\r\nContent-Length: 9000\r\n\r\n${'x'.repeat(9000)}`,
  mp: `GET /%ZZ HTTP/1.1\r\n${H}\r\n`,
  longparam: `GET /${'a'.repeat(200)} HTTP/1.1\r\n${H}\r\n`,
  inm: `GET / HTTP/1.1\r\n${H}If-None-Match: *\r\n\r\n`,
  headerbadval: `GET / HTTP/1.1\r\n${H}X: a\0b\r\n\r\n`,
  lf: `GET / HTTP/1.1\nHost: x\n\n`,
};
const only = process.argv.slice(2);
const csp = 'content-security-policy';
for (const [name, bytes] of Object.entries(cases)) {
  if (only.length && !only.includes(name)) continue;
  const out = await raw(bytes, 150);
  if (only.length) {
    console.log('#####', name, '\n' + out);
    continue;
  }
  const heads = out.split('HTTP/1.1 ').length - 1;
  const [head = '', ...rest] = out.split('\r\n\r\n');
  console.log(
    name.padEnd(12),
    heads,
    head.split('\r\n')[0],
    out.toLowerCase().includes(csp) ? '' : '!!NOCSP',
    /cache-control: (.*)/i.exec(head)?.[1] ?? '!!nocache',
    /content-type: (.*)/i.exec(head)?.[1],
    /allow: (.*)/i.exec(head)?.[1] ?? '',
    rest.join('|').slice(0, 100).replaceAll('\r\n', '~'),
  );
}
await t[Symbol.asyncDispose]();
