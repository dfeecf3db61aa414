// Keeps an offline page in each language that was visited, and keeps shared texts from the server. It handles nothing
// else: no other page, and no answer of the API. The server puts three constants in front of this: `files` (what that page
// loads), `languages`, and `version`.
const ICON = '/favicon.svg';
const CACHE = `offline-${version}`;

/** The lookup page, in any language. */
const isHome = (path) => path === '/' || languages.includes(path.slice(1));

const offlinePageOf = (home) => `${home === '/' ? '' : home}/offline.html`;

const install = async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(offlinePageOf('/'), { cache: 'reload' }), ICON, ...files]);
};

const activate = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
};

/** Always from the network; from the cache only if there is none. */
const networkOr = async (request, ...kept) => {
  try {
    return await fetch(request);
  } catch (error) {
    for (const file of kept) {
      const response = await caches.match(file);
      if (response !== undefined) return response;
    }
    throw error;
  }
};

/** The page for this language, if it is not there yet. Best effort: there is one in English. */
const keep = async (page) => {
  const cache = await caches.open(CACHE);
  if (!(await cache.match(page))) await cache.add(page).catch(() => undefined);
};

/** Their names change with their content. */
const keptFile = async (request) => (await caches.match(request)) ?? fetch(request);

/** A text that another app shares is for the page, not for the server. */
const SHARED = /[?&](?:title|text|url)=/;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(install());
});

self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { method, mode, url } = request;
  const { origin, pathname, search } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate' && isHome(pathname)) {
    if (SHARED.test(search)) return event.respondWith(Response.redirect(`${pathname}#${search.slice(1)}`));
    const page = offlinePageOf(pathname);
    event.respondWith(networkOr(request, page, offlinePageOf('/')));
    event.waitUntil(keep(page));
  } else if (pathname === ICON) event.respondWith(networkOr(request, ICON));
  else if (files.includes(pathname)) event.respondWith(keptFile(request));
});
