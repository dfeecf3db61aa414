import type { FastifyInstance } from 'fastify';
import { HealthSchema, StatusSchema, type Status } from '#shared/contract/status.ts';
import { apiRoute, GET_ERRORS } from '../api-route.ts';

/** How the pool is doing, and whether the server is up. */
export const registerStatusRoutes = (server: FastifyInstance, readStatus: () => Status): void => {
  server.route({
    ...apiRoute('/status.json', {
      id: 'getStatus',
      summary: 'Token pool totals',
      answers: { 200: StatusSchema },
      errors: GET_ERRORS,
    }),
    handler: async () => readStatus(),
  });

  server.route({
    ...apiRoute('/healthz', {
      id: 'getHealth',
      summary: 'Health check',
      answers: { 200: HealthSchema },
      // It is never `overloaded`.
      errors: ['bad-request', 'internal'],
    }),
    handler: (_request, reply) => reply.type('text/plain').send('ok'),
  });
};
