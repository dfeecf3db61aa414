import { expect, it } from 'vitest';
import { startHttpServer } from '#test/support/http-server.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import { createPictures } from './pictures.ts';

it('the CDN is asked for only so many pictures in all', async () => {
  await using cdn = await startHttpServer((_request, response) => void response.writeHead(404).end());
  const sampleIds = Array.from({ length: 601 }, (_, n) => ({
    id: '1',
    label: '',
    avatarUrl: `${SAMPLE_PICTURE_PATH}/avatars/1/${n}.png?size=64`,
  }));
  const pictures = createPictures({
    clock: createFakeSystem().clock,
    urls: { cdnUrl: cdn.url },
    publicUrl: 'https://flake.example',
    pictureSecret: () => 'secret',
    sampleIds,
    admission: { count: () => ({ waitMs: 0, pressure: 0 }) },
    isOptedOut: () => false,
  });
  const last = sampleIds.pop();
  for (const [n, { avatarUrl }] of sampleIds.entries())
    await expect(pictures.get(avatarUrl, `192.0.${n % 256}.1`)).rejects.toMatchObject({ code: 'not-found' });
  await expect(pictures.get(last?.avatarUrl ?? '', '192.0.2.1')).rejects.toMatchObject({
    code: 'pictures-busy',
    retryAfterMs: 20,
  });
  await pictures.close();
});
