import { posix } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { isTest, type SourceFiles } from './source-files.ts';

export type Import = {
  readonly from: string;
  readonly specifier: string;
  readonly file: string | null;
  readonly typeOnly: boolean;
};

const IMPORT =
  /(?:^(?:import|export)\s(type\s)?[^'";]*?from\s|^import\s|\bimport\(\s*|\bnew URL\(\s*(?='\.[^']+',\s*import\.meta))['"]([^'"]+)/gm;

const ALIASES = Object.entries(manifest.imports)
  .filter(([, target]) => target.startsWith('./src/'))
  .map(([alias, target]) => [alias.replace('*', ''), target.slice('./src/'.length, -1)] as const);

const fileOf = (from: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [alias, folder] = ALIASES.find(([start]) => specifier.startsWith(start)) ?? [];
  return alias === undefined ? null : `${folder}${specifier.slice(alias.length)}`;
};

export const readImports = (files: SourceFiles): Import[] =>
  [...files]
    .filter(([from]) => !isTest(from))
    .flatMap(([from, text]) =>
      [...text.matchAll(IMPORT)].map(([, type, specifier = '']) => {
        return { from, specifier, file: fileOf(from, specifier), typeOnly: type !== undefined };
      }),
    );
