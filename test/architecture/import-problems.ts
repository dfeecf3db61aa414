import { dirname } from 'node:path';
import { circlesOf } from './circles.ts';
import { GROUND, MAY_USE, PACKAGE_USERS, PRIVATE, TYPES_ONLY } from './import-rule.ts';
import type { Import } from './imports.ts';
import { isTest } from './source-files.ts';

/** The beginning of a path that a name of the table stands for. */
const within = (name: string, path: string): string | undefined => {
  const names = name.split('/');
  const start = path.split('/').slice(0, names.length);
  const fits = (part: string, at: number): boolean =>
    part.startsWith('*') ? start[at]?.endsWith(part.slice(1)) === true : part === start[at];
  return names.every(fits) ? start.join('/') : undefined;
};

export const rowOf = (path: string): string | undefined =>
  Object.keys(MAY_USE).find((row) => within(row, path) !== undefined);

const mayUseFile = (from: string, file: string): boolean => {
  const [row = '', target] = [rowOf(from), rowOf(file)];
  const listed = [...(MAY_USE[row] ?? []), ...(/^(?:server|cli)\//.test(from) ? GROUND : [])];
  if (row === '' || isTest(file)) return false;
  if (PRIVATE.includes(file)) return dirname(from) === dirname(file);
  if (within(row, from) === within(row, file)) return true;
  return listed.some((name) => (name in MAY_USE ? name === target : within(name, file) !== undefined));
};

const mayUsePackage = (user: string, specifier: string): boolean => {
  const name = specifier.startsWith('node:') ? 'node:*' : specifier.replace(/\/.*/, '');
  const users = PACKAGE_USERS[specifier] ?? PACKAGE_USERS[name] ?? [];
  return users.some((part) => within(part, user) !== undefined);
};

/** Inside its own folder a file writes relative paths, beyond it aliases. */
const isWellWritten = ({ from, specifier, file }: Import): boolean => {
  const home = dirname(from)
    .split('/', from.startsWith('server/') ? 2 : 1)
    .join('/');
  return file === null || specifier.startsWith('.') === file.startsWith(`${home}/`);
};

const problemOf = (one: Import): string[] => {
  const { from, specifier, file, typeOnly } = one;
  const allowed = file === null ? mayUsePackage(from, specifier) : mayUseFile(from, file);
  if (!allowed) return [`${from} may not use ${file ?? specifier}`];
  if (!typeOnly && TYPES_ONLY.includes(specifier)) return [`${from} may only take types of ${specifier}`];
  return isWellWritten(one) ? [] : [`${from} spells ${specifier} wrongly: relative or by alias`];
};

/** The browser loads what the web part imports for more than its types, and what that imports in turn. */
const webLoads = (imports: readonly Import[]): string[] => {
  const values = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const loaded = new Set([...values.keys()].filter((path) => path.startsWith('web/')));
  for (const path of loaded) for (const { file } of values.get(path) ?? []) if (file) loaded.add(file);
  return [...loaded]
    .flatMap((path) => (path.startsWith('web/') ? [] : (values.get(path) ?? [])))
    .filter(({ file, specifier }) => file === null && !mayUsePackage('web', specifier))
    .map(({ from, specifier }) => `${from} brings ${specifier} to the web`);
};

export const importProblems = (imports: readonly Import[]): string[] => [
  ...imports.flatMap(problemOf),
  ...webLoads(imports),
  ...circlesOf(imports.map(({ from, file, specifier }) => [from, file ?? specifier])),
];
