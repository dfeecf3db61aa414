import type { App } from '#server/app.ts';

const LINE = /^([│├└─\s]*)(\S+)(?: \(([A-Z]+))?/;
const INDENT = 4;

/** Every route of the public listener, as `GET /challenge`. A path goes on where the one above it, further out, ends. */
export const registeredRoutes = ({ server }: App): string[] => {
  const parts: string[] = [];
  return server
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', method] = LINE.exec(line) ?? [];
      if (part !== '') parts.splice(indent.length / INDENT - 1, Infinity, part);
      return method === undefined ? [] : `${method} ${parts.join('')}`;
    });
};

export const registeredPaths = (app: App): string[] =>
  registeredRoutes(app).map((route) => route.split(' ')[1] ?? '');
