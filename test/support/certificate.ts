import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a self-signed one for `localhost` there, good for a hundred years: `fullchain.pem` and `privkey.pem`. */
export const makeCertificate = (folder: string): void =>
  cpSync(join(import.meta.dirname, 'certificate'), folder, { recursive: true });
