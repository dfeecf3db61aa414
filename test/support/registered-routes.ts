import type { App } from '#server/app.ts';

/** Every route of the public listener, as `GET /challenge`. */
export const registeredRoutes = ({ server }: App): string[] => {
  const tree = server.printRoutes({ commonPrefix: false });
  return [...tree.matchAll(/(\S+) \(([A-Z]+)/g)].map(
    ([, path = '', method = '']) => `${method} ${path.replace(/^\/?/, '/')}`,
  );
};

export const registeredPaths = (app: App): string[] =>
  registeredRoutes(app).map((route) => route.split(' ')[1] ?? '');
