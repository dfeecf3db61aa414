import type { FastifyInstance } from 'fastify';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import type { WebBuild } from '../site/web-build.ts';
import { sendStaticFile } from './static-routes.ts';

export type VanityRouteDeps = { readonly vanityLinks: VanityLinks; readonly web: WebBuild };

/** Short addresses of donors. Every other route of one part comes first, because it is written out. */
export const registerVanityRoute = (server: FastifyInstance, { vanityLinks, web }: VanityRouteDeps): void => {
  server.get<{ Params: { name: string } }>('/:name', (request, reply) => {
    const destination = vanityLinks.follow(request.params.name);
    if (destination === undefined) return reply.callNotFound();
    if (destination.kind === 'invite') return reply.redirect(destination.url, 302);
    reply.header('x-robots-tag', 'noindex');
    return sendStaticFile(request, reply, { file: web.pausedLinkPage(destination.link), status: 404 });
  });
};
