import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDailySecret } from '#server/visitors/daily-secret.ts';
import { createMemoryVisitorCounters } from '#server/visitors/visitor-counters.ts';
import { createVisitorLimits } from '#server/visitors/visitor-limits.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createClientIp } from './client-ip.ts';

type Case = readonly [
  name: string,
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  expected: string,
];

const PROXY = '10.0.0.1';
const trusting = createClientIp(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::/64']);
const hops = (count: number, address: string): string => Array(count).fill(address).join(', ');

const untrustedPeers: readonly Case[] = [
  ['no header', '203.0.113.5', undefined, '203.0.113.5'],
  ['a header', '203.0.113.5', '192.0.2.1', '203.0.113.5'],
  ['a list', '203.0.113.5', '192.0.2.1, 10.0.0.1', '203.0.113.5'],
  ['several headers', '203.0.113.5', ['192.0.2.1', '192.0.2.2'], '203.0.113.5'],
  ['a header that names the peer', '203.0.113.5', '203.0.113.5', '203.0.113.5'],
  ['junk', '203.0.113.5', 'junk', '203.0.113.5'],
  ['a mapped peer', '::ffff:203.0.113.5', '192.0.2.1', '203.0.113.5'],
  ['a peer mapped in hexadecimal', '::ffff:cb00:7105', '192.0.2.1', '203.0.113.5'],
  ['an IPv6 peer', '2001:DB8::5', '192.0.2.1', '2001:db8::5'],
  ['a peer with a zone', 'fe80::1%eth0', '192.0.2.1', 'fe80::1'],
  ['a peer one beyond the range', '11.0.0.0', '192.0.2.1', '11.0.0.0'],
  ['a peer one before the range', '9.255.255.255', '192.0.2.1', '9.255.255.255'],
  ['another loopback address than the one named', '127.0.0.2', '192.0.2.1', '127.0.0.2'],
  ['an IPv4 peer is not in ::/64', '198.51.100.9', '192.0.2.1', '198.51.100.9'],
  ['a mapped IPv4 peer is not in ::/64', '::ffff:198.51.100.9', '192.0.2.1', '198.51.100.9'],
  ['no peer', undefined, undefined, '::'],
  ['a peer that is no address', 'unix:', undefined, '::'],
];

const oneProxy: readonly Case[] = [
  ['no header', PROXY, undefined, PROXY],
  ['an empty header', PROXY, '', PROXY],
  ['only spaces', PROXY, '  ', PROXY],
  ['no header lines', PROXY, [], PROXY],
  ['IPv4', PROXY, '192.0.2.1', '192.0.2.1'],
  ['IPv6', PROXY, '2001:db8::1', '2001:db8::1'],
  ['IPv6 in capitals and full length', PROXY, '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['mapped IPv4', PROXY, '::ffff:192.0.2.1', '192.0.2.1'],
  ['mapped IPv4 in hexadecimal', PROXY, '::ffff:c000:201', '192.0.2.1'],
  ['a zone', PROXY, 'fe80::1%eth0', 'fe80::1'],
  ['spaces around', PROXY, '  192.0.2.1  ', '192.0.2.1'],
  ['a tab', PROXY, '\t192.0.2.1', '192.0.2.1'],
  ['IPv4 with a port', PROXY, '192.0.2.1:54321', '192.0.2.1'],
  ['IPv6 in brackets', PROXY, '[2001:db8::1]', '2001:db8::1'],
  ['IPv6 in brackets with a port', PROXY, '[2001:db8::1]:443', '2001:db8::1'],
  ['IPv6 in brackets with a zone', PROXY, '[fe80::1%eth0]:443', 'fe80::1'],
  ['mapped IPv4 in brackets', PROXY, '[::ffff:192.0.2.1]:1', '192.0.2.1'],
  ['IPv6 whose last group looks like a port', PROXY, '2001:db8::1:443', '2001:db8::1:443'],
  ['a proxy written as mapped IPv4', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['a proxy written in hexadecimal', '::ffff:a00:1', '192.0.2.1', '192.0.2.1'],
  ['an IPv6 proxy', 'fd12::1', '192.0.2.1', '192.0.2.1'],
  ['a proxy on loopback', '127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['a proxy at the end of the range', '10.255.255.255', '192.0.2.1', '192.0.2.1'],
];

const chains: readonly Case[] = [
  ['the right-most address wins', PROXY, '192.0.2.1, 198.51.100.1', '198.51.100.1'],
  ['no space after the comma', PROXY, '192.0.2.1,198.51.100.1', '198.51.100.1'],
  ['a trusted hop is skipped', PROXY, '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['two trusted hops', PROXY, '198.51.100.1, 10.9.9.9, 10.8.8.8', '198.51.100.1'],
  ['a mapped trusted hop', PROXY, '198.51.100.1, ::ffff:10.9.9.9', '198.51.100.1'],
  ['a trusted hop with a port', PROXY, '198.51.100.1, 10.9.9.9:80', '198.51.100.1'],
  ['an IPv6 trusted hop', PROXY, '198.51.100.1, fd00::1', '198.51.100.1'],
  ['a forged trusted address on the left', PROXY, '10.0.0.9, 198.51.100.1', '198.51.100.1'],
  ['a forged chain on the left', PROXY, '192.0.2.1, 10.0.0.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['a forged loopback on the left', PROXY, '127.0.0.1, 198.51.100.1', '198.51.100.1'],
  ['junk on the left is not read', PROXY, 'junk, 198.51.100.1', '198.51.100.1'],
  ['empty entries on the left are not read', PROXY, ',,, 198.51.100.1', '198.51.100.1'],
  [
    'many entries on the left are not counted',
    PROXY,
    `${hops(500, '1.1.1.1')}, 198.51.100.1`,
    '198.51.100.1',
  ],
  ['several headers are one list', PROXY, ['192.0.2.1', '198.51.100.1, 10.0.0.2'], '198.51.100.1'],
  ['the last header may be all trusted', PROXY, ['198.51.100.1', '10.0.0.2'], '198.51.100.1'],
  ['all trusted: the furthest', PROXY, '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ['twenty hops', PROXY, `198.51.100.1, ${hops(19, '10.0.0.2')}`, '198.51.100.1'],
  ['twenty-one hops', PROXY, `198.51.100.1, ${hops(20, '10.0.0.2')}`, PROXY],
];

const malformed: readonly Case[] = (
  [
    ['unknown', 'unknown'],
    ['an obfuscated name', '_hidden'],
    ['a host name', 'client.example'],
    ['a comma at the end', '192.0.2.1,'],
    ['an empty entry before a trusted hop', '192.0.2.1, , 10.0.0.2'],
    ['junk before a trusted hop', '192.0.2.1, junk, 10.0.0.2'],
    ['quotes', '"192.0.2.1"'],
    ['quoted brackets', '"[2001:db8::1]"'],
    ['the syntax of Forwarded', 'for=192.0.2.1'],
    ['semicolons', '192.0.2.1; 198.51.100.1'],
    ['spaces as separators', '192.0.2.1 198.51.100.1'],
    ['three parts', '192.0.2'],
    ['five parts', '192.0.2.1.1'],
    ['a part beyond 255', '192.0.2.256'],
    ['leading zeros', '192.0.02.1'],
    ['hexadecimal', '0xc0000201'],
    ['one number', '3221225985'],
    ['a range', '192.0.2.0/24'],
    ['a port without digits', '192.0.2.1:'],
    ['a port with letters', '192.0.2.1:http'],
    ['a port of six digits', '192.0.2.1:123456'],
    ['IPv4 in brackets', '[192.0.2.1]'],
    ['an open bracket', '[2001:db8::1'],
    ['a stray bracket', '2001:db8::1]'],
    ['two brackets', '[[2001:db8::1]]'],
    ['text after the bracket', '[2001:db8::1]x'],
    ['an empty bracket', '[]'],
    ['an empty zone', 'fe80::1%'],
    ['IPv4 with a zone', '192.0.2.1%eth0'],
    ['three colons', ':::1'],
    ['a NUL', '192.0.2.1\0'],
    ['wide digits', '１９２.0.2.1'],
    ['a negative part', '-1.0.2.1'],
    ['a very long entry', '1'.repeat(8_000)],
  ] as const
).map(([name, forwardedFor]) => [name, PROXY, forwardedFor, PROXY]);

describe.each([
  ['an untrusted peer', untrustedPeers],
  ['a trusted proxy', oneProxy],
  ['a chain of proxies', chains],
  ['a malformed entry', malformed],
])('%s', (_title, cases) => {
  it.each(cases)('%s', (...[, peer, forwardedFor, expected]: Case) => {
    expect(trusting(peer, forwardedFor)).toBe(expected);
  });
});

describe('createClientIp', () => {
  it('trusts nobody when told of nobody', () => {
    const clientIp = createClientIp([]);
    for (const peer of ['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1']) {
      expect(clientIp(peer, '192.0.2.1')).toBe(peer);
    }
  });

  it('refuses to start with a range it does not understand', () => {
    expect(() => createClientIp(['10.0.0.0/8', 'everyone'])).toThrow('everyone');
  });

  it('ignores whatever an untrusted peer sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.array(fc.ipV4())), (forwardedFor) => {
        expect(trusting('203.0.113.5', forwardedFor)).toBe('203.0.113.5');
      }),
    );
  });

  it('leaves an untrusted peer one visitor, whatever 1,000 addresses it claims', () => {
    const system = createFakeSystem();
    const counters = createMemoryVisitorCounters({ clock: system.clock });
    const burstOfEight = [{ count: 1, periodMs: 60_000, burst: 8 }];
    const allowances = { challenge: [], lookup: burstOfEight, donation: [], withdrawal: [] };
    const visitors = createVisitorLimits({ dailySecret: createDailySecret(system), allowances });
    let admitted = 0;
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const claimed = [...system.random.bytes(4)].join('.');
      const { allowed } = counters.take(visitors.eventsOf('lookup', trusting('203.0.113.5', claimed)));
      if (allowed) admitted += 1;
    }
    expect(admitted).toBe(8);
  });

  it('lets a client behind the proxy write what it likes', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4(), fc.ipV6()), (forged) => {
        expect(trusting(PROXY, `${forged}, 198.51.100.1`)).toBe('198.51.100.1');
      }),
    );
  });
});
