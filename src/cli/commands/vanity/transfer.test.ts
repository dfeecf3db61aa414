import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOperator, type Operator } from '#test/support/operator.ts';

type Links = { links: Record<string, unknown>[] };

/** A site with two links, written into a file. */
const startExported = async () => {
  const operator = await startOperator();
  const { ops, json, dataDir } = operator;
  await ops([
    'vanity',
    'add',
    'snow',
    'whoflake',
    '--donor',
    'Ada "❄" L.',
    '--eur',
    '18.5',
    '--date',
    '2026-05-01',
  ]);
  await ops(['vanity', 'add', 'rime', 'whoflake']);
  await ops(['vanity', 'pause', 'rime']);
  const file = join(dataDir, 'links.json');
  const exported = await ops(['vanity', 'export', file]);
  const { links } = await json<Links>(['vanity', 'list']);
  return { ...operator, exported, file, links, text: readFileSync(file, 'utf8') };
};

const listed = async ({ json }: Pick<Operator, 'json'>) => (await json<Links>(['vanity', 'list'])).links;

describe('vanity export and import', () => {
  it('carry every link with its notes to another site', async () => {
    await using site = await startExported();
    await using other = await startOperator();
    expect(site.exported).toMatchObject({ exitCode: 0, stdout: `2 links written to ${site.file}.\n` });
    expect(statSync(site.file).mode & 0o777).toBe(0o600);
    expect(await site.ops(['vanity', 'export', site.file])).toMatchObject({ exitCode: 2 });
    expect((await site.ops(['vanity', 'export', '-'])).stdout.replace(/"exported_at.*/, '')).toBe(
      site.text.replace(/"exported_at.*/, ''),
    );
    expect(await other.json(['vanity', 'import', site.file])).toEqual({
      state: 'ok',
      added: 2,
      replaced: 0,
      unchanged: 0,
    });
    expect(await listed(other)).toEqual(site.links);
    expect(await other.json(['vanity', 'import', '-'], { input: site.text })).toMatchObject({ unchanged: 2 });
  });

  it('replace nothing unless told to, and a dry run changes nothing at all', async () => {
    await using site = await startExported();
    const { ops, json, file } = site;
    await ops(['vanity', 'resume', 'rime']);
    await ops(['vanity', 'remove', 'snow', '--yes']);
    const before = await listed(site);
    expect(await ops(['vanity', 'import', file])).toMatchObject({
      exitCode: 2,
      stderr:
        'Entry 1: there is already a different link /rime. No links were added: remove it first, or add --replace.\n',
    });
    expect(await ops(['vanity', 'import', file, '--replace'])).toMatchObject({ exitCode: 2 });
    expect(await json(['vanity', 'import', file, '--replace', '--dry-run'])).toEqual({
      state: 'ok',
      dry_run: true,
      added: 1,
      replaced: 1,
      unchanged: 0,
    });
    expect(await listed(site)).toEqual(before);
    expect(await json(['vanity', 'import', file, '--replace', '--yes'])).toMatchObject({ replaced: 1 });
    expect(await listed(site)).toEqual(site.links);
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
    await using site = await startExported();
    await using other = await startOperator();
    const document = JSON.parse(site.text) as Links;
    const links = document.links.with(1, { ...document.links[1], [field]: value });
    writeFileSync(site.file, JSON.stringify({ ...document, links }));
    const { exitCode, stderr } = await other.ops(['vanity', 'import', site.file]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    expect(await other.ops(['vanity', 'list'])).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['{\n  "format": 1,\n  x', /^The file is not valid JSON \(line 3\)\. No links were added\.\n$/],
    ['', /^The file is not valid JSON/],
    ['null', /^This is not a file of vanity links/],
    ['{"links":[]}', /^This is not a file of vanity links/],
    ['{"format":"whoflake-vanity-links","version":2,"links":[]}', /newer version/],
    ['{"format":"whoflake-vanity-links","version":1,"links":[null]}', /^Entry 1: name/],
  ])('refuse %j', async (input, sentence) => {
    await using operator = await startOperator();
    const { exitCode, stderr } = await operator.ops(['vanity', 'import', '-'], { input });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});
