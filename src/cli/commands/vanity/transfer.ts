import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createFile } from '#server/storage/durable-file.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { createVanityLinkStore, type VanityLinkStore } from '#server/vanity/vanity-link-store.ts';
import { badInput, isDryRun, type CommandContext, type RunCommand } from '../../command.ts';
import { orRefuse } from '../../file-errors.ts';
import { plural } from '../../output.ts';
import { isSame, readLinks, toDocument } from './link-file.ts';

/** The file is readable by its owner only: notes say who donated what. */
export const exportLinks: RunCommand = async (context, { words: [file = ''] }) => {
  const links = await (await context.openRecords()).vanityLinks.all();
  const document = toDocument(links, context.now());
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (file === '-') return { data: { file: null, ...document }, lines: [text.trimEnd()] };
  const path = resolve(file);
  if (existsSync(path)) throw badInput(`${path} already exists`, 'choose another name.');
  orRefuse(badInput(`${path} cannot be written`, 'check its folder.'), () => createFile(path, text));
  return {
    data: { file: path, ...document },
    lines: [`${plural(links.length, 'link')} written to ${path}.`],
  };
};

const readText = async ({ terminal }: CommandContext, file: string): Promise<string> => {
  if (file === '-') return terminal.readInput();
  return orRefuse(badInput(`${resolve(file)} does not exist or cannot be read.`), () =>
    readFileSync(file, 'utf8'),
  );
};

const FATE = ['added', 'replaced', 'unchanged'] as const;
type Fate = (typeof FATE)[number];

/** Refuses a name that a different link has, unless that is to be replaced. */
const settle = async (
  store: VanityLinkStore,
  link: VanityLinkRow,
  { entry, replace }: { readonly entry: number; readonly replace: boolean },
): Promise<Fate> => {
  const existing = await store.find(link.name);
  if (existing === undefined) {
    await store.add(link);
    return 'added';
  }
  if (isSame(existing, link)) return 'unchanged';
  if (!replace)
    throw badInput(
      `Entry ${entry}: there is already a different link /${link.name}. No links were added`,
      'remove it first, or add --replace.',
    );
  await store.update(link.name, link);
  return 'replaced';
};

/** Rolls a transaction back. */
class DryRunEnd extends Error {}

export const importLinks: RunCommand = async (context, input) => {
  const links = readLinks(await readText(context, input.words[0] ?? ''));
  const { database } = await context.openRecords();
  const fates: Fate[] = [];
  const replace = input.flags['replace'] === true;
  await context.confirm();
  await database
    .transaction()
    .execute(async (step) => {
      const store = createVanityLinkStore(step);
      for (const [index, link] of links.entries())
        fates.push(await settle(store, link, { entry: index + 1, replace }));
      if (isDryRun(input)) throw new DryRunEnd();
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRunEnd)) throw error;
    });
  const counts = FATE.map((fate) => [fate, fates.filter((one) => one === fate).length] as const);
  const told = counts.map(([fate, count]) => `${count} ${fate}`).join(', ');
  return {
    data: Object.fromEntries(counts.map(([fate, count]) => [`${fate}_count`, count])),
    lines: [
      `${plural(links.length, 'link')} in the file${isDryRun(input) ? ' (dry run)' : ''}: ${told}.`,
      'Their invites were not checked: run vanity check.',
    ],
  };
};
