import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { startAppProcess } from '#test/support/app-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import texts from '#texts/en.json' with { type: 'json' };
import { classInFile } from '../../../vite.config.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ENGLISH_FILE = join(ROOT, 'src/texts/en.json');
export const FILLER = 'one two three four five six seven eight nine ten '.repeat(10);

/** `Lookup` becomes `⟦Lookup one⟧`. The names in braces and the addresses of links do not count. */
const lengthen = (text: string): string => {
  const { length } = text.replaceAll(/\{\w+\}|\]\([^)]*\)/g, '');
  return `⟦${text} ${FILLER.slice(0, Math.ceil(length * 0.4)).trim()}⟧`;
};

const lengthenAll = (value: unknown): unknown => {
  if (typeof value === 'string') return lengthen(value);
  if (Array.isArray(value)) return value.map(lengthenAll);
  return Object.fromEntries(Object.entries(value as object).map(([key, text]) => [key, lengthenAll(text)]));
};

const pseudoEnglish: Plugin = {
  name: 'pseudo-english',
  load: (id) => (id === ENGLISH_FILE ? JSON.stringify(lengthenAll(texts)) : null),
};

/**
 * A renderer with other texts in the place of the English ones. All that pages say comes from it: the markup, what they
 * carry, and what they fetch. The rest of the site is the one that was built.
 */
const buildRenderer = (outDir: string): Promise<unknown> =>
  build({
    configFile: false,
    root: join(ROOT, 'src/web'),
    logLevel: 'error',
    plugins: [react(), pseudoEnglish],
    css: { modules: { generateScopedName: classInFile } },
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      assetsInlineLimit: 0,
      target: 'node24',
      rolldownOptions: {
        input: { 'entry-render': join(ROOT, 'src/web/entry-render.tsx') },
        output: { entryFileNames: '[name].js', chunkFileNames: 'pseudo-[hash].js' },
      },
    },
  });

export type PseudoSite = AsyncDisposable & { readonly origin: string };

export const startPseudoSite = async (): Promise<PseudoSite> => {
  const folder = temporaryFolder();
  const server = join(folder.path, 'dist/server');
  cpSync(join(ROOT, 'dist/server'), server, { recursive: true });
  symlinkSync(join(ROOT, 'dist/web'), join(folder.path, 'dist/web'));
  await buildRenderer(server);
  const settings = { POW_MAX_NUMBER: '1000', PICTURES: 'direct', LOOKUPS_PER_MINUTE: '100000' };
  const limits = { LOOKUPS_PER_MINUTE: '10000', DATA_DIR: join(folder.path, 'data') };
  const app = startAppProcess(
    { ...settings, ...limits },
    { program: process.execPath, args: [join(server, 'main.js')] },
  );
  return {
    origin: await app.origin,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};
