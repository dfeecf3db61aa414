import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkPreview } from '../site/link-preview.ts';
import { chooseBody, matchesEtag, type StaticFile } from '../site/static-file.ts';
import type { WebBuild } from '../site/web-build.ts';

/** The page that shared links open, as `/?id=…`. */
const LOOKUP_PATH = '/';

export const sendStaticFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: { readonly file: StaticFile; readonly status: number },
): FastifyReply => {
  const { file, status } = answer;
  const [coding, body] = chooseBody(file, request.headers['accept-encoding']);
  reply
    .header('etag', body.etag)
    .header('cache-control', file.cacheControl)
    .header('vary', 'accept-encoding');
  if (status === 200 && matchesEtag(request.headers['if-none-match'], body.etag))
    return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.code(status).type(file.contentType).send(body.bytes);
};

/** Pages and their files, each a route of its own: the router knows exactly what exists. */
export const registerStaticRoutes = (
  server: FastifyInstance,
  build: WebBuild,
  preview: LinkPreview,
): void => {
  for (const [path, file] of [...build.pages, ...build.files]) {
    if (path === LOOKUP_PATH) continue;
    // Not returned: Fastify would wait for a returned reply as for a promise, at a cost.
    server.get(path, (request, reply) => void sendStaticFile(request, reply, { file, status: 200 }));
  }
  const lookupPage = build.pages.get(LOOKUP_PATH) ?? build.notFoundPage;
  server.get<{ Querystring: { id?: unknown } }>(LOOKUP_PATH, (request, reply) => {
    const { id } = request.query;
    const file = id === undefined ? lookupPage : (preview(id) ?? lookupPage);
    if (id !== undefined) reply.header('x-robots-tag', 'noindex');
    sendStaticFile(request, reply, { file, status: 200 });
  });
};
