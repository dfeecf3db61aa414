import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

/** As a server leaves them. */
const site = useOperator(({ fill, look }) => fill().then(() => look(({ withdrawn }) => withdrawn.refresh())));
const { printed, dataDir, database, elsewhere } = site;
const list = join(dataDir, 'withdrawn.txt');
const withdrawn = (words: string[], options = {}) => printed(['withdrawn', ...words], options);
const doctor = () => printed(['doctor']);

const HELD =
  /failed +withdrawn list +the database was restored without its list of withdrawn tokens, so stored tokens are/;

it('a list of withdrawn tokens that is missing is reported, and merged from a copy', async () => {
  expect(await doctor()).toMatch(/ok +withdrawn list +readable/);
  const copy = join(elsewhere, 'copy.txt');
  copyFileSync(list, copy);
  rmSync(list);
  expect(await doctor()).toMatch(HELD);
  const other = join(elsewhere, 'other.txt');
  writeFileSync(other, 'list 00000000-0000-4000-8000-000000000001\n');
  expect(await withdrawn(['merge', other])).toMatch(/Stored tokens are not used: /);
  expect(await withdrawn(['merge', copy])).toBe(
    '0 Merged a list of 0 withdrawn tokens.\nNo list of withdrawn tokens is missing: stored tokens are in use.',
  );
  expect(await doctor()).toMatch(/ok +withdrawn list +readable/);
});

it('a list of withdrawn tokens that is missing is given up only by the operator', async () => {
  expect(await withdrawn(['release', '--yes'])).toMatch(/^0 No list of withdrawn tokens is missing/);
  rmSync(list);
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
  expect(await printed(['restore', database, '--yes'], { env })).toMatch(/^2 The list of withdrawn tokens /);
  expect(await withdrawn(['release', '--yes'])).toBe('0 Stored tokens are used.');
  expect(await doctor()).toMatch(/ok +withdrawn list +readable/);
});
