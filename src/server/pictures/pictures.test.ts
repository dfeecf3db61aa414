import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import { createPictures } from './pictures.ts';
import { createTransfers } from './transfers.ts';

it('asks the CDN for only so many pictures in all', async () => {
  const sample = { id: '1', label: '', avatarUrl: `${SAMPLE_PICTURE_PATH}/avatars/1/2.png?size=64` };
  const pictures = createPictures({
    clock: createFakeSystem().clock,
    urls: { cdnUrl: 'http://127.0.0.1:1' },
    publicUrl: 'https://flake.example',
    pictureSecret: () => 'secret',
    sampleIds: [sample],
    admission: { count: async () => {} },
    admissions: { count: () => ({ allowed: false, retryAfterMs: 1_500 }) },
  });
  await expect(pictures.get(sample.avatarUrl, '192.0.2.1')).rejects.toMatchObject({
    code: 'pictures-busy',
    retryAfterMs: 1_500,
  });
  await pictures.close();
});

it('passes on only so many at once, to one visitor and to all', () => {
  const { begin } = createTransfers();
  const ends = Array.from({ length: 20 }, () => begin('192.0.2.1'));
  expect(() => begin('192.0.2.1')).toThrow('pictures-busy');
  for (let n = 0; n < 60; n += 1) begin(`198.51.100.${n}`);
  expect(() => begin('203.0.113.1')).toThrow('pictures-busy');
  ends[0]?.();
  begin('192.0.2.1');
  expect(() => begin('203.0.113.1')).toThrow('pictures-busy');
});
