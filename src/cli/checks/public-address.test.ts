import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { makeCertificate } from '#test/support/certificate.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf } from '#test/support/well-formed.ts';
import { inspectCertificate, inspectPublicAddress } from './public-address.ts';

const DAY_MS = 86_400_000;
it.each([
  [14, null, true, 'ok', 'ends in 14 days'],
  [13, null, true, 'warning', 'ends in 13 days'],
  [
    90,
    'ERR_TLS_CERT_ALTNAME_INVALID',
    true,
    'failed',
    'is not trusted by this machine (ERR_TLS_CERT_ALTNAME_INVALID), ends in 90 days',
  ],
])('a certificate of %i days (%s, ours: %s) is %s: it %s', (days, problem, isOurs, state, finding) => {
  const found = inspectCertificate({ endsMs: days * DAY_MS, problem }, isOurs, 0);
  const remedy = state === 'ok' ? undefined : expect.stringMatching(/\.$/);
  expect(found).toEqual({ what: 'certificate', state, finding, remedy });
});

const look = (publicUrl: string) =>
  inspectPublicAddress({ config: configOf({ PUBLIC_URL: publicUrl }), system: realSystem });

it('the public address is asked over TLS, no matter who signed its certificate', async () => {
  using folder = temporaryFolder();
  makeCertificate(folder.path);
  const read = (name: string) => readFileSync(join(folder.path, name));
  const server = createServer(
    { key: read('privkey.pem'), cert: read('fullchain.pem') },
    (_request, response) => response.end(JSON.stringify({ servers: [{ url: publicUrl() }] })),
  );
  const publicUrl = () => `https://localhost:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  expect(await look(publicUrl())).toMatchObject([
    { state: 'ok', finding: `${publicUrl()} answers` },
    {
      what: 'certificate',
      state: 'warning',
      finding: expect.stringMatching(/^is not trusted .*, ends in \d+ days$/),
    },
  ]);
  server.close();
});
