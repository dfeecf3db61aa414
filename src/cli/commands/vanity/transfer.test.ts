import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

type Links = { links: Record<string, unknown>[] };

const NOTES = ['--donor', 'Ada "❄" L.', '--eur', '18.5', '--date', '2026-05-01'];

/** A site with two links, written into a file. */
const { ops, told, json, elsewhere } = useOperator(async ({ ops, elsewhere }) => {
  await ops(['vanity', 'add', 'snow', 'whoflake', ...NOTES]);
  await ops(['vanity', 'add', 'rime', 'whoflake']);
  await ops(['vanity', 'pause', 'rime']);
  await ops(['vanity', 'export', join(elsewhere, 'links.json')]);
  await ops(['init'], { env: { DATA_DIR: join(elsewhere, 'data') } });
});
const file = join(elsewhere, 'links.json');
const otherSite = { env: { DATA_DIR: join(elsewhere, 'data') } };

const listed = async (options = {}) => (await json<Links>(['vanity', 'list'], options)).links;

describe('vanity export and import', () => {
  it('carry every link with its notes to another site', async () => {
    const target = join(elsewhere, 'second.json');
    expect(await told(['vanity', 'export', target])).toBe(`0 2 links written to ${target}.`);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(await ops(['vanity', 'export', target])).toMatchObject({ exitCode: 2 });
    const text = readFileSync(file, 'utf8');
    const [exported, printed] = [text, (await ops(['vanity', 'export', '-'])).stdout].map((one) =>
      one.replace(/"exported_at.*/, ''),
    );
    expect(printed).toBe(exported);
    expect(await json(['vanity', 'import', file], otherSite)).toEqual({
      state: 'ok',
      added_count: 2,
      replaced_count: 0,
      unchanged_count: 0,
    });
    expect(await listed(otherSite)).toEqual(await listed());
    const { stdout: input } = await ops(['vanity', 'export', '-', '--json']);
    expect(await json(['vanity', 'import', '-'], { ...otherSite, input })).toMatchObject({
      unchanged_count: 2,
    });
  });

  it('replace nothing unless told to, and a dry run changes nothing at all', async () => {
    const original = await listed();
    await ops(['vanity', 'resume', 'rime']);
    await ops(['vanity', 'remove', 'snow', '--yes']);
    const before = await listed();
    expect(await told(['vanity', 'import', file])).toBe(
      '2 Entry 1: there is already a different link /rime. No links were added: remove it first, or add --replace.',
    );
    expect(await ops(['vanity', 'import', file, '--replace'])).toMatchObject({ exitCode: 2 });
    expect(await json(['vanity', 'import', file, '--replace', '--dry-run'])).toEqual({
      state: 'ok',
      dry_run: true,
      added_count: 1,
      replaced_count: 1,
      unchanged_count: 0,
    });
    expect(await listed()).toEqual(before);
    expect(await json(['vanity', 'import', file, '--replace', '--yes'])).toMatchObject({ replaced_count: 1 });
    expect(await listed()).toEqual(original);
  });

  it.each([
    ['name', 'SNOW', /^Entry 2: name is missing or wrong\. No links were added\.\n$/],
    ['name', '12', /^Entry 2: name/],
    ['name', 'admin', /^Entry 2: name/],
    ['name', 'rime', /^Entry 2: the name is in the file twice/],
    ['invite_code', 'https://evil.example/', /^Entry 2: invite_code/],
    ['guild_id', 7, /^Entry 2: guild_id/],
    ['paused_because', 'fun', /^Entry 2: paused_because/],
    ['checked_at', 'today', /^Entry 2: checked_at/],
    ['created_day', '2026-02-30', /^Entry 2: created_day/],
    ['donor', 'a\u001Bb', /^Entry 2: donor/],
    ['amount_eur', -1, /^Entry 2: amount_eur/],
    ['donated_on', 1, /^Entry 2: donated_on/],
  ])('take none of a file with %s %j in it', async (field, value, sentence) => {
    const document = JSON.parse(readFileSync(file, 'utf8')) as Links;
    const links = document.links.with(1, { ...document.links[1], [field]: value });
    writeFileSync(file, JSON.stringify({ ...document, links }));
    const { exitCode, stderr } = await ops(['vanity', 'import', file], otherSite);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    expect(await listed(otherSite)).toEqual([]);
  });

  it.each([
    ['{\n  "format": 1,\n  x', /^The file is not valid JSON \(line 3\)\. No links were added\.\n$/],
    ['', /^The file is not valid JSON/],
    ['null', /^This is not a file of vanity links/],
    ['{"links":[]}', /^This is not a file of vanity links/],
    ['{"format":"whoflake-vanity-links","version":2,"links":[]}', /newer version/],
    ['{"format":"whoflake-vanity-links","version":1,"links":[null]}', /^Entry 1: name/],
  ])('refuse %j', async (input, sentence) => {
    const { exitCode, stderr } = await ops(['vanity', 'import', '-'], { input });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});
