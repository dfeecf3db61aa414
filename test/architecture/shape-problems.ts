import { dirname } from 'node:path';
import { isTest, type SourceFiles } from './source-files.ts';

// React catches an error while it draws in a component that is a class, and in nothing else.
const CLASS = /^(?:export )?class \w+\b(?! extends (?:\w*Error|Component)\b)|[=(] class\b/m;

export const shapeProblems = (files: SourceFiles): string[] => {
  const sources = [...files].filter(([path]) => !isTest(path) && !path.endsWith('.css'));
  const folders = [...Map.groupBy(sources, ([path]) => dirname(path))];
  const long = sources.filter(([, text]) => text.split('\n').length > 201);
  return [
    ...folders.filter(([, inside]) => inside.length > 14).map(([path]) => `${path} has more than 14 files`),
    ...long.map(([path]) => `${path} has more than 200 lines`),
    ...sources.filter(([, text]) => CLASS.test(text)).map(([path]) => `${path} has a class`),
  ];
};
