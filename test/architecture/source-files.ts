import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type SourceFiles = ReadonlyMap<string, string>;

const ROOT = join(import.meta.dirname, '../../src');

/** A test may use whatever it needs; nothing but a test may use it. */
export const isTest = (path: string): boolean => /\.test\.tsx?$|(?:^|\/)test-[^/]*$/.test(path);

/** A language is one file, however many there are and however much the pages say. */
const isTranslation = (path: string): boolean => path.startsWith('texts/');

export const readSourceFiles = (): SourceFiles =>
  new Map(
    readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|js|css)$/.test(path))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  );

// React catches an error while it draws in a component that is a class, and in nothing else.
const CLASS = /^(?:export )?class \w+\b(?! extends (?:\w*Error|Component)\b)|[=(] class\b/m;

export const shapeProblems = (files: SourceFiles): string[] => {
  const sources = [...files].filter(([path]) => !isTest(path) && !path.endsWith('.css'));
  const shaped = sources.filter(([path]) => !isTranslation(path));
  const folders = [...Map.groupBy(shaped, ([path]) => dirname(path))];
  const long = shaped.filter(([, text]) => text.split('\n').length > 201);
  return [
    ...folders.filter(([, inside]) => inside.length > 14).map(([path]) => `${path} has more than 14 files`),
    ...long.map(([path]) => `${path} has more than 200 lines`),
    ...sources.filter(([, text]) => CLASS.test(text)).map(([path]) => `${path} has a class`),
  ];
};
