import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createClientIp } from './client-ip.ts';
import { createUntrustedProxy } from './untrusted-proxy.ts';

const start = (publicUrl: string, trusted: readonly string[]) => {
  const { clock, stall } = createFakeSystem();
  const logged: unknown[] = [];
  const proxy = createUntrustedProxy({
    clock,
    publicUrl,
    logger: { warn: (event: unknown) => void logged.push(event) },
  });
  return { ...proxy, clientIp: createClientIp(trusted, proxy.seen), logged, stall };
};

it('a proxy that is not trusted is named, once an hour', () => {
  const { clientIp, recent, logged, stall } = start('https://lookup.test', ['10.0.0.0/8']);
  clientIp('10.0.0.1', '203.0.113.9');
  expect(recent()).toBeNull();
  for (let n = 0; n < 3; n += 1) expect(clientIp('172.18.0.1', '203.0.113.9')).toBe('172.18.0.1');
  expect(recent()).toEqual({ peer: '172.18.0.1' });
  expect(logged).toEqual([{ event: 'untrusted-proxy', peer: '172.18.0.1' }]);
  stall(3_600_001);
  expect(recent()).toBeNull();
});

it('a public address, which may be a visitor’s, is not named', () => {
  const { clientIp, recent } = start('https://lookup.test', []);
  clientIp('203.0.113.9', '198.51.100.1');
  expect(recent()).toEqual({ peer: null });
});

it('a visitor of a site without a proxy who forges the header is none', () => {
  const { clientIp, recent } = start('http://lookup.test', []);
  clientIp('203.0.113.9', '198.51.100.1');
  expect(recent()).toBeNull();
});
