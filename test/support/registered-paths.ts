import type { App } from '#server/app.ts';

/** Every path that the public listener has a route for. */
export const registeredPaths = ({ server }: App): string[] => {
  const tree = server.printRoutes({ commonPrefix: false });
  return [...tree.matchAll(/(\S+) \(/g)].map(([, path = '']) => path.replace(/^\/?/, '/'));
};
