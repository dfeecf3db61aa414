import type { App } from '#server/app.ts';
import { PAGE_PATHS } from '#shared/paths.ts';

const NAMED = ['/status', '/api', '/:name', '/:name/', '/users/:name', '/users/:name/'];
const WITH_SLASH = PAGE_PATHS.filter((path) => path !== '/').map((path) => `${path}/`);
const IN_ENGLISH = [...NAMED, ...WITH_SLASH];

/** The routes of pages, as far as they do not come with the build. */
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
