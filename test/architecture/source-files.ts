import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths in `src`, and what is written there. */
export type SourceFiles = ReadonlyMap<string, string>;

const ROOT = join(import.meta.dirname, '../../src');

/** A test may use whatever it needs; nothing but a test may use it. */
export const isTest = (path: string): boolean => /\.test\.tsx?$|(?:^|\/)test-[^/]*$/.test(path);

export const readSourceFiles = (): SourceFiles =>
  new Map(
    readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|js|css)$/.test(path))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  );
