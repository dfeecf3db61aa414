import type { FastifyInstance } from 'fastify';
import { StatusSchema, type Status } from '#shared/contract/status.ts';

export const registerStatusRoute = (server: FastifyInstance, readStatus: () => Status): void => {
  server.get('/status.json', { schema: { response: { 200: StatusSchema } } }, async () => readStatus());
};
