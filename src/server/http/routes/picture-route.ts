import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pictures } from '#server/pictures/pictures.ts';
import { PICTURE_PATH } from '#shared/paths.ts';
import { onlyFromOwnSite } from '../api-route.ts';

/** For the visitor's browser only: the address is not secret, but shared caches have no use for it. */
const CACHE_CONTROL = 'private, max-age=21600, immutable';

export const registerPictureRoute = (
  server: FastifyInstance,
  pictures: Pictures,
  addressOf: (request: FastifyRequest) => string,
): void => {
  server.get(`${PICTURE_PATH}*`, {
    // The picture would be fetched only to be thrown away.
    exposeHeadRoute: false,
    // Other sites may use neither our line nor the allowance of their visitors.
    onRequest: onlyFromOwnSite,
    handler: async (request, reply) => {
      const { type, length, body } = await pictures.get(request.url, addressOf(request));
      reply.header('cache-control', CACHE_CONTROL).type(type);
      if (length !== undefined) reply.header('content-length', length);
      return reply.send(body);
    },
  });
};
