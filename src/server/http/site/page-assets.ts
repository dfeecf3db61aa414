import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageAssets } from '#shared/page.ts';

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
};

type Manifest = Readonly<Record<string, Chunk>>;

export type BuiltAssets = PageAssets & {
  readonly offline: readonly string[];
  readonly serviceWorker: string;
};

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

  const frame = filesOf('entry-frame.ts');
  const client = filesOf('entry-client.tsx');
  const font = `/${chunkOf('ui/fonts/figtree-basic.woff2').file}`;
  const lookup = new Set(filesOf('routes/lookup-flow.tsx'));
  return {
    early: `{${codeOf('entry-early.ts')}}`,
    styles: codeOf('style.css'),
    font,
    frame,
    client,
    proof: filesOf('features/captcha/entry-proof.ts'),
    lookup: [...lookup.difference(new Set(client))],
    offline: [...new Set([font, ...frame, ...client, ...filesOf('routes/offline.tsx')])],
    serviceWorker: codeOf('service-worker.js'),
  };
};
