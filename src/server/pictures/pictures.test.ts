import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import { createPictures, createTransfers } from './pictures.ts';

it('the CDN is asked for only so many pictures in all', async () => {
  const sample = { id: '1', label: '', avatarUrl: `${SAMPLE_PICTURE_PATH}/avatars/1/2.png?size=64` };
  const pictures = createPictures({
    clock: createFakeSystem().clock,
    urls: { cdnUrl: 'http://127.0.0.1:1' },
    publicUrl: 'https://flake.example',
    pictureSecret: () => 'secret',
    sampleIds: [sample],
    admission: { count: async () => {} },
    admissions: { count: () => ({ allowed: false, retryAfterMs: 1_500 }) },
    isOptedOut: () => false,
  });
  await expect(pictures.get(sample.avatarUrl, '192.0.2.1')).rejects.toMatchObject({
    code: 'pictures-busy',
    retryAfterMs: 1_500,
  });
  await pictures.close();
});

it('only so many pictures at once are passed on to one visitor, an IPv6 network being one', () => {
  for (const addressOf of [() => '192.0.2.1', (n: number) => `2001:db8::${n}`]) {
    const { begin } = createTransfers();
    const begun = Array.from({ length: 20 }, (_, n) => begin(addressOf(n)));
    expect(() => begin(addressOf(99))).toThrow('pictures-busy');
    begun[0]?.end();
    begin(addressOf(99));
  }
});

it('nobody holds all places for pictures: the network that has most gives up its oldest', () => {
  const { begin } = createTransfers();
  const held = Array.from({ length: 80 }, (_, n) => begin(`198.51.100.${n}`).cut);
  const others = Array.from({ length: 40 }, (_, n) => begin(`203.0.113.${n}`).cut);
  expect(held.map(({ aborted }) => aborted)).toEqual(held.map((_, n) => n < 40));
  // Nobody gains by taking from equals.
  expect(() => begin('203.0.113.99')).toThrow('pictures-busy');
  expect(others.some(({ aborted }) => aborted)).toBe(false);
});
