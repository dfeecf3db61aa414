import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '#server/system.ts';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import type { Status } from '#shared/contract/status.ts';
import { LANGUAGE_CODES, localPath, type Language } from '#shared/languages.ts';
import { API_PAGE_PATH, PAGE_PATHS, STATUS_PATH, type PagePath } from '#shared/paths.ts';
import type { ApiDescription, Site } from '#shared/site.ts';
import { isPlausibleId, parseAccountId } from '#shared/snowflake.ts';
import { SECURITY_TEXT_PATH, securityText } from '../site/site-files.ts';
import type { SendStaticFile, StaticFile } from '../site/static-file.ts';
import type { WebBuild } from '../site/web-build.ts';

export type StaticRouteDeps = {
  readonly web: WebBuild;
  readonly sendStaticFile: SendStaticFile;
  readonly site: Pick<Site, 'publicUrl'>;
  readonly readStatus: () => Status;
  readonly readApi: () => ApiDescription;
  readonly clock: Clock;
  readonly vanityLinks: VanityLinks;
};

/** The page that shared links, `/?id=…`, open. */
const LOOKUP_PATH = '/' satisfies PagePath;
const FOLDER = /^\/[^/]+\//;

/** The prefix of a path: nothing for English, otherwise the language. One route serves all of them. */
const PREFIXES = ['', `/:language(^(?:${LANGUAGE_CODES.filter((code) => code !== 'en').join('|')})$)`];

type Localized = { Params: { language?: Language } };
type Named = { Params: { language?: Language; name: string } };

/** A route for each page and file, except in folders: that many routes would slow down the start. */
export const registerStaticRoutes = (server: FastifyInstance, deps: StaticRouteDeps): void => {
  const { web, site, clock, sendStaticFile } = deps;
  for (const [path, file] of web.files)
    if (!FOLDER.test(path)) server.get(path, (_request, reply) => sendStaticFile(reply, file));
  const folders = new Set([...web.files.keys()].flatMap((path) => FOLDER.exec(path)?.[0] ?? []));
  for (const folder of folders) {
    server.get<{ Params: { '*': string } }>(`${folder}*`, (request, reply) => {
      const file = web.files.get(folder + request.params['*']);
      if (file === undefined) reply.callNotFound();
      else sendStaticFile(reply, file);
    });
  }
  server.get(SECURITY_TEXT_PATH, (_request, reply) =>
    sendStaticFile(reply, securityText(site, clock.wallMs())),
  );
  registerPages(server, deps);
  registerNamedRoutes(server, deps);
};

const perLanguage = <Made>(make: (language: Language) => Made): ((language: Language) => Made) => {
  const made = new Map<Language, Made>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
};

export const onceASecond = (clock: Clock, render: () => StaticFile): (() => StaticFile) => {
  let page: StaticFile | undefined;
  let renderedMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    if (page !== undefined && nowMs - renderedMs < 1_000) return page;
    renderedMs = nowMs;
    return (page = render());
  };
};

const registerPages = (server: FastifyInstance, deps: StaticRouteDeps): void => {
  const { web, clock, readStatus, sendStaticFile } = deps;
  const statusIn = perLanguage((language) =>
    onceASecond(clock, () => web.pagesIn(language).statusPage(readStatus())),
  );
  const apiIn = perLanguage((language) => web.pagesIn(language).apiPage(deps.readApi()));
  const pageIn = (language: Language, path: string) => {
    const { pages, notFoundPage } = web.pagesIn(language);
    return pages.get(path) ?? notFoundPage;
  };
  for (const prefix of PREFIXES) {
    const serve = (path: string, fileIn: (language: Language) => StaticFile) =>
      server.get<Localized>(prefix + path, ({ params: { language = 'en' } }, reply) =>
        sendStaticFile(reply, fileIn(language)),
      );
    for (const path of web.pagesIn('en').pages.keys())
      if (path !== LOOKUP_PATH) serve(path, (language) => pageIn(language, path));
    serve(STATUS_PATH, (language) => statusIn(language)());
    serve(API_PAGE_PATH, apiIn);
    server.get<Localized & { Querystring: { id?: unknown } }>(prefix || LOOKUP_PATH, (request, reply) => {
      const { language = 'en' } = request.params;
      const { id } = request.query;
      const nowMs = clock.wallMs();
      const linked = typeof id === 'string' ? parseAccountId(id, nowMs) : undefined;
      const page = linked ? web.pagesIn(language).linkPage(linked, nowMs) : pageIn(language, LOOKUP_PATH);
      sendStaticFile(reply, page, { noIndex: id !== undefined });
    });
  }
};

/** With its question mark; the server never looks into it. */
const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/**
 * Other spellings of our addresses: `/{id}` and `/users/{id}`, as profile links have them, and slashes at the end. Where
 * they lead is made of checked parts only, never of what was asked for. The router prefers routes without a parameter, so
 * no vanity link can hide one.
 */
const registerNamedRoutes = (
  server: FastifyInstance,
  { vanityLinks, web, sendStaticFile }: StaticRouteDeps,
): void => {
  const follow = ({ name, language = 'en' }: Named['Params'], reply: FastifyReply): void => {
    const destination = vanityLinks.follow(name);
    if (isPlausibleId(name)) reply.redirect(localPath(`${LOOKUP_PATH}?id=${name}`, language));
    else if (destination === undefined) reply.callNotFound();
    else if (destination.kind === 'invite') reply.redirect(destination.url);
    else {
      const paused = web.pagesIn(language).pausedLinkPage(destination.link);
      sendStaticFile(reply, paused, { status: 404, noIndex: true });
    }
  };
  for (const prefix of PREFIXES) {
    for (const end of ['', '/']) {
      server.get<Named>(`${prefix}/:name${end}`, ({ params }, reply) => follow(params, reply));
      server.get<Named>(`${prefix}/users/:name${end}`, ({ params }, reply) => {
        if (isPlausibleId(params.name)) follow(params, reply);
        else reply.callNotFound();
      });
    }
    for (const path of PAGE_PATHS)
      if (prefix + path !== LOOKUP_PATH)
        server.get<Localized>(
          `${prefix}${path === LOOKUP_PATH ? '' : path}/`,
          ({ params: { language = 'en' }, url }, reply) =>
            reply.redirect(localPath(path, language) + queryOf(url), 301),
        );
  }
  // English has no prefix.
  server.get('/en', ({ url }, reply) => reply.redirect(LOOKUP_PATH + queryOf(url), 301));
};
