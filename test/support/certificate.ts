import { execFileSync } from 'node:child_process';
import { findProgram } from './debian-program.ts';

const OPENSSL = findProgram('usr/bin/openssl');

/** Why certificates cannot be made here; null if they can. */
export const OPENSSL_MISSING = OPENSSL === null ? 'There is no openssl here.' : null;

/** A self-signed one for `localhost`: `fullchain.pem` and `privkey.pem`. */
export const makeCertificate = (folder: string): void => {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'privkey.pem'];
  const args = ['req', '-x509', '-days', '2', '-out', 'fullchain.pem', ...key, ...subject];
  execFileSync(OPENSSL ?? '', args, { cwd: folder, stdio: 'ignore' });
};
