import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { parseArguments } from '../../src/cli/usage/arguments.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'docs/operations.md', 'docs/backup.md', 'docs/cluster.md'];
/** Their text tells what to do, too. */
const ALERTS = 'ops/prometheus-alerts.yaml';
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** What is typed after `ops`, on lines of blocks and between backticks, up to what the shell does with it. */
const opsCommandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|`|whoflake |node-1 )ops ([a-z][^`\n]*)/gm)].map(([, rest = '']) =>
    (rest.split(/ (?:[|>#]|&&|< |2>)/)[0] ?? '').trim(),
  );

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word.replaceAll('"', ''));

/** In a sentence a command may stand without what it is about. */
const complete = (words: readonly string[]): string[] => {
  const command = COMMANDS.find(({ name }) => name === words.slice(0, 2).join(' ') || name === words[0]);
  const isBare = command !== undefined && words.length === command.name.split(' ').length;
  return isBare ? [...words, ...command.parameters.filter((word) => !word.startsWith('['))] : [...words];
};

describe.each([...PAGES, ALERTS])('%s', (page) => {
  const commands = [...new Set(opsCommandsIn(textOf(page)))];

  it('names commands that there are, with options that they have', () => {
    expect(commands.length).toBeGreaterThan(3);
    const wrong = commands.flatMap((command) => {
      try {
        parseArguments(complete(wordsOf(command)), COMMANDS);
        return [];
      } catch (error) {
        return [`${command}: ${(error as Error).message}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it('links to files that there are', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
    const folder = page.startsWith('docs/') ? 'docs' : '.';
    expect(links.filter((path) => !existsSync(join(ROOT, folder, path)))).toEqual([]);
  });
});

it('the settings that README tells to put into .env are all that the server needs to start with Discord', async () => {
  const [, settings = ''] = /^printf '([^']+)' ~\/bot-tokens > \.env$/m.exec(textOf('README.md')) ?? [];
  const lines = settings
    .replace('%s', '/dev/null')
    .split(String.raw`\n`)
    .filter(Boolean);
  const env = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  expect(env).toEqual({ PLATFORM: 'discord', BOT_TOKENS_FILE: '/dev/null' });
  await using sandbox = await startSandboxProcess();
  // In Discord's place.
  const urls = { DISCORD_API_URL: `${sandbox.cdnUrl}/api/v10`, DISCORD_CDN_URL: sandbox.cdnUrl };
  await using app = startAppProcess({ ...env, ...urls });
  await vi.waitFor(() => expect(app.output()).toContain('"event":"listening"'), EVENTUALLY);
});
