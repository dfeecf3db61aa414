import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { parseConfig, settingNames } from '#server/config.ts';
import { findSettingProblems } from './settings.ts';

/** As `ops` reads the file; each problem after its state. */
const problemsOf = (text: string, exposed: readonly string[] = []): readonly string[] => {
  const parsed = parseConfig(parseEnv(text), () => '');
  if (!parsed.ok) return parsed.problems.map((problem) => `refused: ${problem}`);
  const problems = findSettingProblems(parsed.config, { file: { path: 'site.env', text }, exposed });
  return problems.map(({ state, finding }) => `${state}: ${finding}`);
};

it.each<[text: string, ...problems: (string | RegExp)[]]>([
  ['PORT=8090\nLOG_LEVEL=warn\n'],
  ['# x\nPort=1', 'warning: Not a setting; did you mean PORT? (line 2 of site.env)'],
  ['FROB=1', 'warning: FROB: unknown setting; check the spelling, or delete it (line 1 of site.env)'],
  ['PORT=8082', 'failed: PORT and ADMIN_PORT: both are 8082; change one of them.'],
  ['PUBLIC_URL=https://lookup.test', /^warning: TRUSTED_PROXIES: expected the address of your HTTPS proxy/],
  ['PLATFORM=discord', /^warning: CONTACT_EMAIL: not set/, /^warning: PAYMENT_URL: not set/],
  ['FROB=1\nLOG_LEVEL=loud', /^refused: LOG_LEVEL: expected one of /],
  [
    'DATABASE_URL=postgres://db/x?sslmode=disable',
    /^warning: DATABASE_URL: .* unencrypted; .*=verify-full\.$/,
  ],
])('of the settings %j is said: %j %j', (text, ...problems) => {
  expect(problemsOf(text)).toEqual(
    problems.map((problem) => (typeof problem === 'string' ? problem : expect.stringMatching(problem))),
  );
});

it('a file with secrets that others can read is named', () => {
  expect(problemsOf('PORT=8090', ['/home/me/bot-tokens'])).toEqual([
    'warning: /home/me/bot-tokens: others can read the secrets in it; run chmod o-r on it.',
  ]);
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
  'hunter2 hunter2',
  'https://u:hunter2@example.org/?hunter2#hunter2',
  'postgres://whoflake:hunter2@db.example.org/whoflake?sslmode=hunter2&hunter2=1',
  'MTAwMzQ1Mjc1NDgyNDg0Mzc4NA.FciptA.hunter2',
];

it.each(SECRETS)('nothing of %s is shown, whatever it is set as', (secret) => {
  const shown = NAMES.flatMap((name) => {
    const said = problemsOf(`${name}='${secret}'`).join();
    return said.includes('hunter2') ? [name] : [];
  });
  expect(shown).toEqual([]);
});

it.each(['postgres://:hunter2=store', 'aHVudGVyMg=='])(
  'nothing is shown of a secret on a line of its own: %s',
  (line) => expect(problemsOf(line)).toEqual([expect.stringMatching(/^warning: Not a setting; .*line 1 /)]),
);
