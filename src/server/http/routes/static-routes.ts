import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#server/system.ts';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import type { Status } from '#shared/contract/status.ts';
import { STATUS_PATH, type PagePath } from '#shared/paths.ts';
import { createLinkPreview, type LinkPreviewDeps } from '../site/link-preview.ts';
import { chooseBody, matchesEtag, type StaticFile } from '../site/static-file.ts';
import { createStatusPage } from '../site/status-page.ts';
import type { WebBuild } from '../site/web-build.ts';

export type StaticRouteDeps = {
  readonly web: WebBuild;
  readonly site: LinkPreviewDeps['site'];
  readonly readStatus: () => Status;
  readonly clock: Clock;
};

export type VanityRouteDeps = { readonly vanityLinks: VanityLinks; readonly web: WebBuild };

/** The page that shared links open, as `/?id=…`. */
const LOOKUP_PATH = '/' satisfies PagePath;

/** With the status that the reply has already. */
export const sendStaticFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
): FastifyReply => {
  const [coding, body] = chooseBody(file, request.headers['accept-encoding']);
  reply
    .header('etag', body.etag)
    .header('cache-control', file.cacheControl)
    .header('vary', 'accept-encoding');
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], body.etag))
    return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(file.contentType).send(body.bytes);
};

/** Pages and their files, each a route of its own: the router knows exactly what exists. */
export const registerStaticRoutes = (server: FastifyInstance, deps: StaticRouteDeps): void => {
  const { web, site, clock } = deps;
  for (const [path, file] of [...web.pages, ...web.files]) {
    if (path === LOOKUP_PATH) continue;
    // Not returned: Fastify would wait for a returned reply as for a promise, at a cost.
    server.get(path, (request, reply) => void sendStaticFile(request, reply, file));
  }
  const page = web.pages.get(LOOKUP_PATH) ?? web.notFoundPage;
  const preview = createLinkPreview({ page, site, clock });
  server.get<{ Querystring: { id?: unknown } }>(LOOKUP_PATH, (request, reply) => {
    const { id } = request.query;
    if (id !== undefined) reply.header('x-robots-tag', 'noindex');
    sendStaticFile(request, reply, preview(id) ?? page);
  });
  const statusPage = createStatusPage(deps);
  server.get(STATUS_PATH, (request, reply) => void sendStaticFile(request, reply, statusPage()));
};

/** Short addresses of donors. Every other route of one part comes first, because it is written out. */
export const registerVanityRoute = (server: FastifyInstance, { vanityLinks, web }: VanityRouteDeps): void => {
  server.get<{ Params: { name: string } }>('/:name', (request, reply) => {
    const destination = vanityLinks.follow(request.params.name);
    if (destination === undefined) return reply.callNotFound();
    if (destination.kind === 'invite') return reply.redirect(destination.url, 302);
    reply.code(404).header('x-robots-tag', 'noindex');
    return sendStaticFile(request, reply, web.pausedLinkPage(destination.link));
  });
};
