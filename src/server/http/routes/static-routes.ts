import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#server/system.ts';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import type { Status } from '#shared/contract/status.ts';
import { LANGUAGE_CODES, localPath, type Language } from '#shared/languages.ts';
import { isPagePath, STATUS_PATH, type PagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { isPlausibleId, parseAccountId } from '#shared/snowflake.ts';
import { LANGUAGE_PATHS, type LanguagePages } from '../site/language-pages.ts';
import { SECURITY_TEXT_PATH, securityText } from '../site/site-files.ts';
import type { SendStaticFile, StaticFile } from '../site/static-file.ts';
import type { WebBuild } from '../site/web-build.ts';

type StaticRouteDeps = {
  readonly web: WebBuild;
  readonly sendStaticFile: SendStaticFile;
  readonly site: Pick<Site, 'publicUrl'>;
  readonly readStatus: () => Status;
  readonly clock: Clock;
  readonly vanityLinks: VanityLinks;
};

const LOOKUP_PATH = '/' satisfies PagePath;
const FOLDER = /^\/[^/]+\//;

const PREFIXES = ['', `/:language(^(?:${LANGUAGE_CODES.filter((code) => code !== 'en').join('|')})$)`];

type Localized = { Params: { language?: Language } };
type Named = { Params: { language?: Language; name: string } };

/** A route for each page and file, except in folders: that many routes would slow down the start. */
export const registerStaticRoutes = (server: FastifyInstance, deps: StaticRouteDeps): void => {
  const { web, site, clock, sendStaticFile } = deps;
  const sendFile = (reply: FastifyReply, path: string) => {
    const file = web.files.get(path);
    return file === undefined ? reply.callNotFound() : sendStaticFile(reply, file);
  };
  const paths = [...web.files.keys()];
  for (const path of paths)
    if (!FOLDER.test(path)) server.get(path, (_request, reply) => sendFile(reply, path));
  for (const folder of new Set(paths.flatMap((path) => FOLDER.exec(path)?.[0] ?? [])))
    server.get<{ Params: { '*': string } }>(`${folder}*`, (request, reply) =>
      sendFile(reply, folder + request.params['*']),
    );
  server.get(SECURITY_TEXT_PATH, (_request, reply) =>
    sendStaticFile(reply, securityText(site, clock.wallMs())),
  );
  registerPages(server, deps);
  registerNamedRoutes(server, deps);
};

const rendersEvery = (ms: number, clock: Clock, render: (pages: LanguagePages) => StaticFile) => {
  const rendered = new Map<LanguagePages, { readonly file: StaticFile; readonly atMs: number }>();
  return (pages: LanguagePages): StaticFile => {
    const last = rendered.get(pages);
    const nowMs = clock.monotonicMs();
    if (last !== undefined && nowMs - last.atMs < ms) return last.file;
    const file = render(pages);
    rendered.set(pages, { file, atMs: nowMs });
    return file;
  };
};

const registerPages = (server: FastifyInstance, deps: StaticRouteDeps): void => {
  const { web, clock, readStatus, sendStaticFile } = deps;
  const pageIn = ({ pages, notFoundPage }: LanguagePages, path: string) => pages.get(path) ?? notFoundPage;
  const choices = new Map<string, (pages: LanguagePages) => StaticFile>([
    ...LANGUAGE_PATHS.map((path) => [path, (pages: LanguagePages) => pageIn(pages, path)] as const),
    [STATUS_PATH, rendersEvery(1_000, clock, (pages) => pages.statusPage(readStatus()))],
  ]);
  choices.delete(LOOKUP_PATH);
  for (const prefix of PREFIXES) {
    for (const [path, choose] of choices)
      server.get<Localized>(prefix + path, ({ params: { language = 'en' } }, reply) =>
        web.whenRendered(({ pagesIn }) => sendStaticFile(reply, choose(pagesIn(language)))),
      );
    server.get<Localized & { Querystring: { id?: unknown } }>(prefix || LOOKUP_PATH, (request, reply) =>
      web.whenRendered(({ pagesIn }) => {
        const { language = 'en' } = request.params;
        const { id } = request.query;
        const pages = pagesIn(language);
        // The page fills in the ID as it stands in the address.
        const isLink = typeof id === 'string' && parseAccountId(id, clock.wallMs()) === id;
        const page = isLink ? pages.linkPage : pageIn(pages, LOOKUP_PATH);
        sendStaticFile(reply, page, { noIndex: id !== undefined });
      }),
    );
  }
};

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Destinations are made of checked parts only. Routes without a parameter come first, so no vanity link can hide one. */
const registerNamedRoutes = (
  server: FastifyInstance,
  { vanityLinks, web, sendStaticFile }: StaticRouteDeps,
): void => {
  const follow = ({ name, language = 'en' }: Named['Params'], reply: FastifyReply) => {
    const destination = vanityLinks.follow(name);
    if (isPlausibleId(name)) return reply.redirect(localPath(`${LOOKUP_PATH}?id=${name}`, language));
    if (destination === undefined) return reply.callNotFound();
    if (destination.kind === 'invite') return reply.redirect(destination.url);
    return web.whenRendered(({ pagesIn }) =>
      sendStaticFile(reply, pagesIn(language).pausedLinkPage(destination.link), {
        status: 404,
        noIndex: true,
      }),
    );
  };
  const redirectToPage = (
    path: PagePath,
    { params: { language = 'en' }, url }: FastifyRequest<Localized>,
    reply: FastifyReply,
  ) => reply.redirect(localPath(path, language) + queryOf(url), 301);
  for (const prefix of PREFIXES) {
    server.get<Named>(`${prefix}/:name`, ({ params }, reply) => follow(params, reply));
    server.get<Named>(`${prefix}/:name/`, (request, reply) => {
      const path = `/${request.params.name}`;
      const isPage = path !== LOOKUP_PATH && isPagePath(path);
      return isPage ? redirectToPage(path, request, reply) : follow(request.params, reply);
    });
    for (const end of ['', '/'])
      server.get<Named>(`${prefix}/users/:name${end}`, ({ params }, reply) =>
        isPlausibleId(params.name) ? follow(params, reply) : reply.callNotFound(),
      );
    if (prefix !== '')
      server.get<Localized>(`${prefix}/`, (request, reply) => redirectToPage(LOOKUP_PATH, request, reply));
  }
  // English has no prefix.
  server.get<Localized>('/en', (request, reply) => redirectToPage(LOOKUP_PATH, request, reply));
};
