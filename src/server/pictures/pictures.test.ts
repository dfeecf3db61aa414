import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import { createPictures } from './pictures.ts';

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
  pictures.close();
});
