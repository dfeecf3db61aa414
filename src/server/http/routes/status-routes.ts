import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { HealthSchema, StatusSchema, type Status } from '#shared/contract/status.ts';
import { apiRoute, GET_ERRORS } from '../api-route.ts';

const PausedSchema = Type.String({ description: 'Why lookups are paused.' });

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
      description: 'With ?lookups=1 it says 503 while lookups are paused, and why.',
      answers: { 200: HealthSchema, 503: PausedSchema },
      // It is never `overloaded`.
      errors: ['bad-request', 'internal'],
    }),
    handler: (request, reply) => {
      const { lookups } = request.query as { readonly lookups?: '1' };
      const pause = lookups === undefined ? null : readStatus().paused;
      reply.type('text/plain');
      return pause === null ? reply.send('ok') : reply.code(503).send(`lookups are paused: ${pause.cause}`);
    },
  });
};
