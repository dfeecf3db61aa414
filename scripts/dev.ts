// Pages from their sources by Vite, everything else from the server, which starts again when one of its files changes.
import { spawn, type ChildProcess } from 'node:child_process';
import {
  createServer as createHttpServer,
  request,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { createServer, type EnvironmentModuleNode, type ViteDevServer } from 'vite';
import { readSettings, wrongSettings } from '#server/read-settings.ts';
import { siteOf } from '#server/http/site/web-build.ts';
import { realSystem } from '#server/system.ts';
import { splitPath } from '#shared/languages.ts';
import type { PageRenderer } from '#shared/page.ts';
import { isPagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { freePort } from '#test/support/free-port.ts';
import { wat } from './wat-plugin.ts';

const ROOT = join(import.meta.dirname, '..');
const ASSETS = {
  early: '',
  styles: '',
  font: '/ui/fonts/figtree-basic.woff2',
  frame: ['/entry-frame.ts'],
  client: ['/entry-client.tsx'],
  proof: [],
  lookup: [],
};

const settings = readSettings(process.env);
if (!settings.ok) throw wrongSettings(settings.problems);
const { config } = settings;
const port = await freePort();

const vite = await createServer({
  configFile: join(ROOT, 'vite.config.ts'),
  appType: 'custom',
  plugins: [wat()],
  server: { middlewareMode: true, fs: { allow: [ROOT] } },
});

/** Passes a request on; while the server starts again, it waits. */
const passOn = (from: IncomingMessage, to: ServerResponse, body: Buffer): void => {
  const { method, url, headers } = from;
  request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  })
    .on('error', () => setTimeout(passOn, 100, from, to, body))
    .end(body);
};

/** What the page of the server that runs says of the site and its state. */
const carriedSite = async (url: string): Promise<Partial<Site>> => {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${url}`).catch(() => null);
    const [, json] =
      /<script type="application\/json" id="data">(.*?)<\/script>/.exec((await answer?.text()) ?? '') ?? [];
    if (answer !== null) return json === undefined ? {} : (JSON.parse(json) as { site: Site }).site;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** In the order in which the client imports them, as in the build. */
const stylesOf = async ({ environments: { client } }: ViteDevServer): Promise<string> => {
  const seen = new Set<EnvironmentModuleNode>();
  const styles: string[] = [];
  const visit = async (module: EnvironmentModuleNode | undefined): Promise<void> => {
    if (module === undefined || seen.has(module) || !module.id?.startsWith(ROOT + '/src/')) return;
    seen.add(module);
    await client.transformRequest(module.url);
    for (const imported of module.importedModules) await visit(imported);
    if (!module.id.endsWith('.css')) return;
    const { default: css } = (await vite.ssrLoadModule(`${module.url}?inline`)) as { default: string };
    styles.push(`<style data-vite-dev-id="${module.id}">${css}</style>`);
  };
  for (const entry of ['/entry-frame.ts', '/entry-client.tsx']) {
    await client.transformRequest(entry);
    await visit(await client.moduleGraph.getModuleByUrl(entry));
  }
  return styles.join('');
};

const renderer = (): Promise<PageRenderer> => vite.ssrLoadModule('/entry-render.tsx') as Promise<never>;

const renderPage = async (url: string): Promise<string> => {
  const { path, language } = splitPath(new URL(url, config.publicUrl).pathname);
  const { status, sampleIds = [] } = await carriedSite(path === '/' ? '/' : url);
  const site = { ...siteOf(config, sampleIds, realSystem.random), ...(status && { status }) };
  const { renderPage: render } = await renderer();
  const html = render({ path, language, site, assets: ASSETS });
  const head = `${await stylesOf(vite)}<script type="module" src="/entry-early.ts"></script></head>`;
  return vite.transformIndexHtml(
    url,
    html.replace('</head>', () => head),
  );
};

const answer = async (from: IncomingMessage, to: ServerResponse, body: Buffer): Promise<void> => {
  const { pathname } = new URL(from.url ?? '/', config.publicUrl);
  const { path } = splitPath(pathname);
  const isPage = from.method === 'GET' && isPagePath(path);
  if (isPage) return void to.setHeader('content-type', 'text/html').end(await renderPage(from.url ?? '/'));
  passOn(from, to, body);
};

const server = createHttpServer((from, to) => {
  const fail = (error: unknown): void => {
    vite.ssrFixStacktrace(error as Error);
    process.stderr.write(`${(error as Error).stack}\n`);
    to.writeHead(500).end(String(error));
  };
  const parts: Buffer[] = [];
  from
    .on('data', (bytes: Buffer) => parts.push(bytes))
    .on('end', () => {
      const ask = (): void => void answer(from, to, Buffer.concat(parts)).catch(fail);
      if (from.method === 'GET' && !isPagePath(splitPath(from.url?.split('?')[0] ?? '/').path))
        vite.middlewares(from, to, ask);
      else ask();
    });
});

let child: ChildProcess | undefined;
let stopping = false;

const startServer = (): void => {
  child = spawn(process.execPath, ['--disable-sigusr1', 'src/server/main.ts'], {
    cwd: ROOT,
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...process.env, PORT: String(port), PUBLIC_URL: config.publicUrl },
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text.replaceAll(`:${port}`, `:${config.listen.port}`));
  });
  // One that has ended by itself starts again with the next change.
  child.once('exit', () => (child = undefined));
};

const restartServer = (): void => {
  if (stopping) return;
  if (child === undefined) return startServer();
  if (!child.killed && child.kill('SIGTERM')) child.once('exit', startServer);
};

const isOf = (file: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => file.startsWith(join(ROOT, 'src', folder)));

vite.watcher.add(['server', 'shared', 'sandbox', 'texts'].map((folder) => join(ROOT, 'src', folder)));
vite.watcher.on('change', (file) => {
  if (isOf(file, 'server', 'shared', 'sandbox')) restartServer();
  // Texts and pages without React are rendered here alone: the browser does not know that they have changed.
  const known = vite.environments.client.moduleGraph.getModulesByFile(file) !== undefined;
  if (!known && isOf(file, 'web', 'shared', 'texts')) vite.ws.send({ type: 'full-reload' });
});

const stop = (): void => {
  stopping = true;
  child?.kill('SIGTERM');
  server.close();
  server.closeAllConnections();
  void vite.close();
};
process.once('SIGINT', stop).once('SIGTERM', stop);
startServer();
server.listen(config.listen.port, config.listen.host);
