import type { App } from '#server/app.ts';
import { LANGUAGE_PATHS } from '#server/http/site/language-pages.ts';

const NAMED = ['/status', '/:name', '/:name/', '/users/:name', '/users/:name/'];
const IN_ENGLISH = [...LANGUAGE_PATHS.filter((path) => path !== '/'), ...NAMED];

export const PAGE_ROUTES: readonly string[] = [
  '/',
  '/en',
  ...IN_ENGLISH,
  '/:language',
  '/:language/',
  ...IN_ENGLISH.map((path) => `/:language${path}`),
];

const LINE = /^([│├└─\s]*)(\S+)(?: \(([A-Z]+))?/;
const INDENT = 4;

/** Every route of the public listener, such as `GET /challenge`, from Fastify's tree: an indented path continues the one above it. */
export const registeredRoutes = ({ server }: App): string[] => {
  const parts: string[] = [];
  return server
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', method] = LINE.exec(line) ?? [];
      if (part !== '') parts.splice(indent.length / INDENT - 1, Infinity, part);
      // Without the languages that a parameter may be.
      return method === undefined ? [] : `${method} ${parts.join('').replace(/\(\^.*\$\)/, '')}`;
    });
};

export const registeredPaths = (app: App): string[] =>
  registeredRoutes(app).map((route) => route.split(' ')[1] ?? '');
