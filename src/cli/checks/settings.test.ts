import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { findSettingProblems } from './settings.ts';

const problemsOf = (text: string): readonly string[] => {
  // As systemd would: the whole line is the value.
  const env = Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  return findSettingProblems(
    parseConfig(env, () => ''),
    { path: 'site.env', text },
  );
};

describe('findSettingProblems', () => {
  it.each([
    ['PORT=8090\nLOG_LEVEL=warn\n', []],
    [
      'LOOKUPS_PER_MINUT=5',
      ['LOOKUPS_PER_MINUT: there is no such setting; did you mean LOOKUPS_PER_MINUTE? (line 1 of site.env)'],
    ],
    [
      '# x\nLog_Level=warn',
      ['Log_Level: there is no such setting; did you mean LOG_LEVEL? (line 2 of site.env)'],
    ],
    [
      'FROBNICATE=1',
      ['FROBNICATE: there is no such setting; check its name, or delete it (line 1 of site.env)'],
    ],
    ['PORT=8082', ['PORT and ADMIN_PORT: both are 8082; choose another for one of them.']],
    ['SANDBOX_PORT=8080', ['PORT and SANDBOX_PORT: both are 8080; choose another for one of them.']],
    ['PORT=0\nADMIN_PORT=0', []],
    [
      'PUBLIC_URL=https://lookup.test',
      [expect.stringMatching(/^TRUSTED_PROXIES: expected the address of the proxy/)],
    ],
    ['PUBLIC_URL=https://lookup.test\nTRUSTED_PROXIES=127.0.0.1/32', []],
    ['LOG_LEVEL=loud', [expect.stringMatching(/^LOG_LEVEL: expected one of/)]],
    [
      'CONTACT_EMAIL=hello@whoflake.example.org',
      ['CONTACT_EMAIL: still has the value of the example (line 1 of site.env)'],
    ],
    [
      'PORT=8090 # my port',
      [
        'PORT: expected a whole number from 0 to 65535.',
        'Line 1 of site.env means one thing to systemd and another to Node: put comments on lines of their own, and leave out export.',
      ],
    ],
    ['export BRAND_NAME=Snow', [expect.stringMatching(/^Line 1 of site.env means one thing/)]],
    ['BRAND_NAME="Snow # 1"', []],
  ])('of %j says %j', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('finds what is left of the example, and nothing else in it', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../ops/whoflake.env.example'), 'utf8');
    const problems = findSettingProblems(
      parseConfig(parseEnv(text), () => ''),
      { path: 'x', text },
    );
    expect(problems.map((problem) => problem.replace(/:.*/, '')).toSorted()).toEqual([
      'CONTACT_EMAIL',
      'PAYMENT_URL',
      'PUBLIC_URL',
    ]);
  });
});
