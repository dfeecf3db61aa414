import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageAssets } from '#shared/page.ts';

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
};

type Manifest = Readonly<Record<string, Chunk>>;

const SOURCES = {
  early: 'entry-early.ts',
  frame: 'entry-frame.ts',
  client: 'entry-client.tsx',
  styles: 'style.css',
  font: 'ui/fonts/figtree-basic.woff2',
  offline: 'routes/offline.tsx',
  proof: 'features/captcha/entry-proof.ts',
  lookup: 'routes/lookup-flow.tsx',
  serviceWorker: 'service-worker.js',
} as const;

export type BuiltAssets = PageAssets & {
  readonly offline: readonly string[];
  readonly serviceWorker: string;
};

/** Reads which files the build has made, from the manifest that Vite writes for servers. */
export const readAssets = (webDir: string): BuiltAssets => {
  const manifest = JSON.parse(readFileSync(join(webDir, 'manifest.json'), 'utf8')) as Manifest;
  const chunkOf = (source: string): Chunk => {
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`The build has no ${source}.`);
    return chunk;
  };
  const filesOf = (source: string): string[] => {
    const { file, imports = [] } = chunkOf(source);
    return [...new Set([`/${file}`, ...imports.flatMap(filesOf)])];
  };
  const codeOf = (source: string): string => readFileSync(join(webDir, chunkOf(source).file), 'utf8').trim();

  const frame = filesOf(SOURCES.frame);
  const client = filesOf(SOURCES.client);
  const styles = codeOf(SOURCES.styles);
  const font = `/${chunkOf(SOURCES.font).file}`;
  const lookup = new Set(filesOf(SOURCES.lookup));
  return {
    early: `{${codeOf(SOURCES.early)}}`,
    styles,
    font,
    frame,
    client,
    proof: filesOf(SOURCES.proof),
    lookup: [...lookup.difference(new Set(client))],
    offline: [...new Set([font, ...frame, ...client, ...filesOf(SOURCES.offline)])],
    serviceWorker: codeOf(SOURCES.serviceWorker),
  };
};
