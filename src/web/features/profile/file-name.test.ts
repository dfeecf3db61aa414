import { expect, it } from 'vitest';
import { fileName } from './file-name.ts';

it.each([
  ['marlow.finch', 'marlow.finch-441997505123577857.png'],
  ['Old Timer', 'Old_Timer-441997505123577857.png'],
  ['../../etc/passwd', 'etc_passwd-441997505123577857.png'],
  ['photo\u202Egnp.exe', 'photo_gnp.exe-441997505123577857.png'],
  ['𝕎'.repeat(100), `${'𝕎'.repeat(40)}-441997505123577857.png`],
  ['منقول', 'منقول-441997505123577857.png'],
  ['<>:"|?*', '441997505123577857.png'],
])('a file about %s is %s', (username, name) => {
  expect(fileName({ username, id: '441997505123577857' }, '.png')).toBe(name);
});
