import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '#server/system.ts';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import type { Status } from '#shared/contract/status.ts';
import { STATUS_PATH, type PagePath } from '#shared/paths.ts';
import { isPlausibleId } from '#shared/snowflake.ts';
import { createLinkPreview, type LinkPreviewDeps } from '../site/link-preview.ts';
import { SECURITY_TEXT_PATH, securityText } from '../site/site-files.ts';
import type { SendStaticFile } from '../site/static-answer.ts';
import { createStatusPage } from '../site/status-page.ts';
import type { WebBuild } from '../site/web-build.ts';

export type StaticRouteDeps = {
  readonly web: WebBuild;
  readonly sendStaticFile: SendStaticFile;
  readonly site: LinkPreviewDeps['site'];
  readonly readStatus: () => Status;
  readonly clock: Clock;
};

type Named = { Params: { name: string } };

export type NamedRouteDeps = {
  readonly vanityLinks: VanityLinks;
  readonly web: WebBuild;
  readonly sendStaticFile: SendStaticFile;
};

/** The page that shared links, `/?id=…`, open. */
const LOOKUP_PATH = '/' satisfies PagePath;
const FOLDER = /^\/[^/]+\//;

/** A route for each page and file, except in folders: so many would slow the start. */
export const registerStaticRoutes = (server: FastifyInstance, deps: StaticRouteDeps): void => {
  const { web, site, clock, sendStaticFile } = deps;
  for (const [path, file] of [...web.pages, ...web.files]) {
    if (path === LOOKUP_PATH || FOLDER.test(path)) continue;
    server.get(path, (_request, reply) => sendStaticFile(reply, file));
  }
  const folders = new Set([...web.files.keys()].flatMap((path) => FOLDER.exec(path)?.[0] ?? []));
  for (const folder of folders) {
    server.get<{ Params: { '*': string } }>(`${folder}*`, (request, reply) => {
      const file = web.files.get(folder + request.params['*']);
      if (file === undefined) reply.callNotFound();
      else sendStaticFile(reply, file);
    });
  }
  const page = web.pages.get(LOOKUP_PATH) ?? web.notFoundPage;
  const preview = createLinkPreview({ page: web.linkPage, site, clock });
  server.get<{ Querystring: { id?: unknown } }>(LOOKUP_PATH, (request, reply) => {
    const { id } = request.query;
    sendStaticFile(reply, preview(id) ?? page, { noIndex: id !== undefined });
  });
  server.get(SECURITY_TEXT_PATH, (_request, reply) =>
    sendStaticFile(reply, securityText(site, clock.wallMs())),
  );
  const statusPage = createStatusPage(deps);
  server.get(STATUS_PATH, (_request, reply) => sendStaticFile(reply, statusPage()));
};

/**
 * Other spellings of our addresses: `/{id}` and `/users/{id}`, as profile links have them, and slashes at the end. Where
 * they lead is made of checked parts only, never of what was asked for. The router prefers routes without a parameter, so
 * no vanity link can hide one.
 */
export const registerNamedRoutes = (server: FastifyInstance, deps: NamedRouteDeps): void => {
  const { vanityLinks, web, sendStaticFile } = deps;
  const follow = (name: string, reply: FastifyReply): void => {
    const destination = vanityLinks.follow(name);
    if (isPlausibleId(name)) reply.redirect(`${LOOKUP_PATH}?id=${name}`);
    else if (destination === undefined) reply.callNotFound();
    else if (destination.kind === 'invite') reply.redirect(destination.url);
    else sendStaticFile(reply, web.pausedLinkPage(destination.link), { status: 404, noIndex: true });
  };
  for (const end of ['', '/']) {
    server.get<Named>(`/:name${end}`, ({ params }, reply) => follow(params.name, reply));
    server.get<Named>(`/users/:name${end}`, ({ params: { name } }, reply) => {
      if (isPlausibleId(name)) follow(name, reply);
      else reply.callNotFound();
    });
  }
  for (const path of [...web.pages.keys(), STATUS_PATH])
    if (path !== LOOKUP_PATH) server.get(`${path}/`, (_request, reply) => reply.redirect(path, 301));
};
