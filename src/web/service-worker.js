// Keeps one page for when there is no network, and what others share from the server; touches nothing else: no answer of
// the server, no other page.
// The build puts `files` before this, what that page loads; the server puts `version`, empty if there is to be no worker.
const PAGE = '/offline.html';
const ICON = '/favicon.svg';
const CACHE = `offline-${version}`;

const install = async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(PAGE, { cache: 'reload' }), ICON, ...files]);
};

const activate = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !version || name !== CACHE).map((name) => caches.delete(name)));
  await (version ? self.clients.claim() : self.registration.unregister());
};

/** Always from the network; from the cache only if there is none. */
const networkOr = async (kept, request) => {
  try {
    return await fetch(request);
  } catch (error) {
    const response = await caches.match(kept);
    if (response === undefined) throw error;
    return response;
  }
};

/** Their names change with their content. */
const keptFile = async (request) => (await caches.match(request)) ?? fetch(request);

/** A text that another app shares is for the page, not for the server. */
const SHARED = /[?&](?:title|text|url)=/;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  if (version) event.waitUntil(install());
});

self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { method, mode, url } = request;
  const { origin, pathname, search } = new URL(url);
  if (!version || method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate' && pathname === '/' && SHARED.test(search))
    event.respondWith(Response.redirect(`/#${search.slice(1)}`));
  else if (mode === 'navigate' && pathname === '/') event.respondWith(networkOr(PAGE, request));
  else if (pathname === ICON) event.respondWith(networkOr(ICON, request));
  else if (files.includes(pathname)) event.respondWith(keptFile(request));
});
