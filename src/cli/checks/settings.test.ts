import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { parseConfig, settingNames } from '#server/config.ts';
import { findSettingProblems } from './settings.ts';

/** As `ops` reads the file; each problem after its state. */
const problemsOf = (text: string, path = 'site.env', names: readonly string[] = []): readonly string[] =>
  findSettingProblems(
    parseConfig(parseEnv(text), () => ''),
    { file: { path, text }, names },
  ).map(({ state, finding }) => `${state}: ${finding}`);

it.each<[text: string, ...problems: (string | RegExp)[]]>([
  ['PORT=8090\nLOG_LEVEL=warn\n'],
  ['PORTS=5', 'warning: PORTS: unknown setting; did you mean PORT? (line 1 of site.env)'],
  ['# x\nPort=1', 'warning: Port: unknown setting; did you mean PORT? (line 2 of site.env)'],
  ['FROB=1', 'warning: FROB: unknown setting; check the spelling, or delete it (line 1 of site.env)'],
  ['PORT=8082', 'failed: PORT and ADMIN_PORT: both are 8082; change one of them.'],
  ['SANDBOX_PORT=8080', 'failed: PORT and SANDBOX_PORT: both are 8080; change one of them.'],
  ['PORT=0\nADMIN_PORT=0'],
  ['PUBLIC_URL=https://lookup.test', /^warning: TRUSTED_PROXIES: expected the address of your HTTPS proxy/],
  ['PUBLIC_URL=http://lookup.test/who', /^warning: PUBLIC_URL: .*; remove the path\.$/],
  ['HOST=lookup', 'warning: HOST: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0.'],
  ['PLATFORM=discord', /^warning: CONTACT_EMAIL: not set/, /^warning: PAYMENT_URL: not set/],
  ['FROB=1\nLOG_LEVEL=loud', /^failed: LOG_LEVEL: expected one of /, /^warning: FROB/],
  ['CONTACT_EMAIL=hello@whoflake.example.org', /^warning: CONTACT_EMAIL: still has its example value/],
  [
    'DATABASE_URL=postgres://db/x?sslmode=disable',
    /^warning: DATABASE_URL: .* unencrypted; .*=verify-full\.$/,
  ],
  ['DATABASE_URL=postgres://localhost/x?sslmode=disable'],
  ['DATABASE_URL=postgres://db/x?sslmode=prefer', /^failed: DATABASE_URL: expected sslmode to be /],
  ['BRAND_NAME="Snow # 1"'],
])('of the settings %j is said: %j %j', (text, ...problems) => {
  expect(problemsOf(text)).toEqual(
    problems.map((problem) => (typeof problem === 'string' ? problem : expect.stringMatching(problem))),
  );
});

/** As people misspell them, or take them from elsewhere. */
const misspellingsOf = (name: string): readonly string[] => [
  name,
  name.slice(0, -1),
  `${name}S`,
  name.toLowerCase(),
  name.replace('_', ''),
  `${name}_FILE`,
];
const NAMES = [...settingNames().flatMap(misspellingsOf), 'STORE_PASSWORD', 'PGPASSWORD'];
const SECRETS = [
  'hunter2',
  'hunter2 hunter2',
  'https://example.org/hunter2',
  'https://u:hunter2@example.org/?hunter2#hunter2',
  'postgres://whoflake:hunter2@db.example.org/whoflake?sslmode=hunter2&hunter2=1',
  'MTAwMzQ1Mjc1NDgyNDg0Mzc4NA.FciptA.hunter2',
];

it.each(SECRETS)('nothing of %s is shown, whatever it is set as', (secret) => {
  const shown = NAMES.flatMap((name) => {
    const said = problemsOf(`${name}='${secret}'`, 'site.env', [name]).join();
    return said.includes('hunter2') ? [name] : [];
  });
  expect(shown).toEqual([]);
});

it.each(['postgres://:hunter2=store', 'aHVudGVyMg=='])(
  'nothing is shown of a secret on a line of its own: %s',
  (line) => expect(problemsOf(line)).toEqual([expect.stringMatching(/^warning: Not a setting; .*line 1 /)]),
);

it('a misspelt variable of the environment is found, and those of others are left alone', () => {
  const names = ['PATH', 'HOSTNAME', 'PORTS', 'LOGNAME', 'LOOKUPS_PER_MINUT', 'PLATFORM'];
  expect(problemsOf('', 'site.env', names)).toEqual([
    'warning: LOOKUPS_PER_MINUT: unknown setting; did you mean LOOKUPS_PER_MINUTE?',
  ]);
});

it('what is left of the example is found, and nothing else in it', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../ops/whoflake.env.example'), 'utf8');
  const found = problemsOf(text).map((problem) => problem.split(': ')[1]);
  expect(new Set(found)).toEqual(new Set(['CONTACT_EMAIL', 'PAYMENT_URL', 'PUBLIC_URL']));
});
