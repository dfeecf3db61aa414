import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, minifySync, type Plugin } from 'vite';
import { wat } from './scripts/wat-plugin.ts';
import { LANGUAGE_CODES } from './src/shared/languages.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Compresses files once, at the highest level, so that the server need not do it at every start. */
const precompress = (folder: string): Plugin => ({
  name: 'precompress',
  closeBundle: () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:css|js|svg|txt)$/.test(name)) continue;
      const bytes = readFileSync(join(folder, name));
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

/** Beside the licences of the packages, which Vite knows. */
const addFontLicence = (licences: string, folder: string): Plugin => ({
  name: 'add-font-licence',
  closeBundle: () =>
    appendFileSync(licences, `\n## Figtree (OFL-1.1)\n\n${readFileSync(join(folder, 'OFL.txt'), 'utf8')}`),
});

const minified = (path: string): string => minifySync(path, readFileSync(path, 'utf8')).code.trim();

/**
 * Puts what first paint needs into the page itself, so that nothing has to be fetched before it, and lets the rest wait
 * for it: `load-app.js` is told the names. The server allows these elements by their hashes.
 */
const inlineFirstPaint = (scripts: readonly string[]): Plugin => ({
  name: 'inline-first-paint',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const styles = (_link: string, name: string): string => {
        const file = bundle[name];
        if (file?.type !== 'asset') throw new Error(`The build has no style sheet ${name}.`);
        return `<style>${String(file.source).trim()}</style>`;
      };
      const frame = Object.values(bundle).find(({ name }) => name === 'frame');
      if (frame?.type !== 'chunk') throw new Error('The build has no code for the frame.');
      const code = {
        frame: [frame.fileName, ...frame.imports].map((name) => `/${name}`),
        app: [...html.matchAll(APP_FILE)].map(([, path]) => path),
      };
      const script = `const code=${JSON.stringify(code)};${scripts.map(minified).join('')}`;
      return (
        html
          .replaceAll(APP_FILE, '')
          .replaceAll(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/g, styles)
          // After the styles, which name the typeface.
          .replace('</head>', () => `<script>${script}</script></head>`)
      );
    },
  },
});

/** Vite leaves out the styles of which no code uses a name. Those of the frame are used by what the server renders. */
const keepStyles: Plugin = {
  name: 'keep-styles',
  enforce: 'post',
  transform: (code, id) => (id.endsWith('.module.css') ? { code, moduleSideEffects: 'no-treeshake' } : null),
};

/**
 * CommonJS in place of two modules, most of which would be loaded at every start and never used. `server-bundle.test.ts`
 * fails when an upgrade changes what this relies on.
 */
const LEAN_MODULES: Readonly<Record<string, string>> = {
  // Imported as an ECMAScript module, all its exports are read, and for `WebSocket` Node loads an undici of its own.
  'node:http': "module.exports = process.getBuiltinModule('node:http');",
  // Put together as in its index, without a browser's fetch and more.
  undici: `
    const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
    Dispatcher.prototype.request = require('undici/lib/api/api-request.js');
    exports.Pool = require('undici/lib/dispatcher/pool.js');
    exports.errors = require('undici/lib/core/errors.js');
  `,
};

const leanModules: Plugin = {
  name: 'lean-modules',
  enforce: 'pre',
  resolveId: (id) => (Object.hasOwn(LEAN_MODULES, id) ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? LEAN_MODULES[id.slice(1)] : null),
};

/** The sandbox finds its pictures beside itself, in the sources as in the bundle. */
const copyPictures = (from: string, to: string): Plugin => ({
  name: 'copy-pictures',
  closeBundle: () => cpSync(from, to, { recursive: true }),
});

/** As Vite writes them: the entry, then what it imports. */
const APP_FILE =
  /\s*<(?:script type="module"|link rel="modulepreload") crossorigin (?:src|href)="([^"]+)">(?:<\/script>)?/g;

const OFFLINE_ROUTE = /\/routes\/offline\.tsx$/;

/** The service worker, at an address that stays the same, with the names of all that its one page loads. */
const serviceWorker = (path: string): Plugin => ({
  name: 'service-worker',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const files = new Set<string>();
    const add = (name: string): void => {
      const file = bundle[name];
      if (file?.type !== 'chunk' || files.has(`/${name}`)) return;
      files.add(`/${name}`);
      // Those of the entry stand in the page itself.
      if (!file.isEntry) for (const styles of file.viteMetadata?.importedCss ?? []) files.add(`/${styles}`);
      file.imports.forEach(add);
    };
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      if (file.isEntry || OFFLINE_ROUTE.test(file.facadeModuleId ?? '')) add(file.fileName);
    }
    const parts = { files: [...files].toSorted(), languages: LANGUAGE_CODES };
    const source = `const {files,languages}=${JSON.stringify(parts)};${minified(path)}`;
    this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
  },
});

/**
 * `vite build` makes what the browser loads, `vite build --ssr` what Node runs: the server, the operator's commands and
 * the renderer of the pages, with all packages. Not minified: the log shows where an error came from.
 */
export default defineConfig(({ isSsrBuild = false }) => ({
  root: at('src/web'),
  plugins: [
    react(),
    ...(isSsrBuild
      ? [leanModules, copyPictures(at('src/sandbox/pictures'), at('dist/server/pictures'))]
      : [
          keepStyles,
          inlineFirstPaint(
            ['apply-theme.js', 'choose-face.js', 'keep-press.js', 'load-app.js'].map((name) =>
              at(`src/web/ui/frame/${name}`),
            ),
          ),
          serviceWorker(at('src/web/service-worker.js')),
          addFontLicence(at('dist/web/licences.txt'), at('src/web/ui/fonts')),
          precompress(at('dist/web')),
        ]),
  ],
  worker: { plugins: () => [wat()] },
  // Production installs no packages.
  ssr: { noExternal: true },
  // Otherwise the bundle keeps React's development build beside the other and chooses at run time.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    emptyOutDir: true,
    // The content security policy does not allow data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isSsrBuild
      ? {
          outDir: at('dist/server'),
          copyPublicDir: false,
          target: 'node24',
          // The licences of its packages must be part of every copy.
          license: { fileName: 'licences.md' },
          rolldownOptions: {
            input: {
              main: at('src/server/main.ts'),
              ops: at('src/cli/main.ts'),
              'sqlite-worker': at('src/server/storage/sqlite/sqlite-worker.ts'),
              'entry-render': at('src/web/entry-render.tsx'),
            },
            // An optional package, which pg asks for only if it is told to.
            external: ['pg-native'],
            // All in one folder: `import.meta.dirname` is two below the root, as it is in the sources.
            output: {
              entryFileNames: '[name].js',
              chunkFileNames: '[name]-[hash].js',
              comments: { legal: true, annotation: false, jsdoc: false },
            },
          },
        }
      : {
          outDir: at('dist/web'),
          // Served beside the scripts, which have no comments.
          license: { fileName: 'licences.txt' },
          rolldownOptions: {
            input: { index: at('src/web/index.html'), frame: at('src/web/entry-frame.ts') },
            // Compressing takes a while; that need not worry somebody who starts a site.
            checks: { bundlerTimings: false },
            // In one piece it compresses best, and stays in the browser's cache when only our own code changes.
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
                  // What the frame and the pages both use.
                  { name: 'base', test: /\/(?:browser|chosen-language)\.ts$|preload-helper/ },
                  // What the first page and the parts that load later both use.
                  {
                    name: 'ground',
                    test: /\/(?:environment|languages|fill|paths|id-field|proved-request|view-transition|import-again|load-altcha|use-wait)\.ts$|\/(?:button|notice|visually-hidden)\.(?:tsx|module\.css)$/,
                  },
                  // What several of those parts use: each file is a request of its own.
                  {
                    name: 'parts',
                    test: /\/src\/.*\/(?:snowflake|use-formats|age|formats|time|fact|countdown|dialog|download|decoded-id|id-note|profile-name|captcha-dialog|captcha-state|ask-challenge|challenge-search|solver)\.(?:tsx?|module\.css)$/,
                  },
                ],
              },
            },
          },
        }),
  },
}));
