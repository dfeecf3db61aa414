import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { wat } from './scripts/wat-plugin.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Compresses files once, at the highest level, so that the server need not do it at every start. */
const precompress = (folder: string): Plugin => ({
  name: 'precompress',
  apply: 'build',
  closeBundle: () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:css|js|svg|txt)$/.test(name)) continue;
      const bytes = readFileSync(join(folder, name));
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

const addFontLicence = (licences: string, fonts: string, folder: string): Plugin => ({
  name: 'add-font-licence',
  apply: 'build',
  closeBundle: () =>
    appendFileSync(licences, `\n## ${fonts} (OFL-1.1)\n\n${readFileSync(join(folder, 'OFL.txt'), 'utf8')}`),
});

/** Vite leaves out the styles of which no code uses a name. Those of the frame are used by what the server renders. */
const keepStyles: Plugin = {
  name: 'keep-styles',
  apply: 'build',
  enforce: 'post',
  transform: (code, id) => (id.endsWith('.module.css') ? { code, moduleSideEffects: 'no-treeshake' } : null),
};

const copyPictures = (from: string, to: string): Plugin => ({
  name: 'copy-pictures',
  apply: 'build',
  closeBundle: () => cpSync(from, to, { recursive: true }),
});

/** Vite's own waits for style sheets, too, which stand in the page: ten times as much. */
const shortPreload: Plugin = {
  name: 'short-preload',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('vite/preload-helper.js')
      ? `export const __vitePreload = (load, files = []) => {
          for (const href of files)
            document.head.append(
              Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href: '/' + href }),
            );
          return load();
        };`
      : null,
};

/** Fastify loads its own compilers of schemas only if it is given none: a third of what the server would hold in memory. */
const withoutCompilers: Plugin = {
  name: 'without-compilers',
  enforce: 'pre',
  resolveId: (id) => (/^@fastify\/(?:ajv|fast-json-stringify)-compiler$/.test(id) ? '\0none' : null),
  load: (id) => (id === '\0none' ? 'export {}' : null),
};

/** Legible in a page, and short: the style sheet stands in every one. */
export const classInFile = (name: string, file: string): string =>
  `${name}-${basename(file).replace('.module.css', '')}`;

/** One letter beyond ASCII, and V8 holds all of a file in twice the room. */
const inAscii: Plugin = {
  name: 'in-ascii',
  enforce: 'post',
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(
          /[\u0080-\uFFFF]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

const web = {
  outDir: at('dist/web'),
  manifest: 'manifest.json',
  // One style sheet for all pages: each part loads without one of its own, and the browser keeps it.
  cssCodeSplit: false,
  license: { fileName: 'licences.txt' },
  rolldownOptions: {
    input: ['entry-early.ts', 'entry-frame.ts', 'entry-client.tsx'].map((name) => at(`src/web/${name}`)),
    checks: { bundlerTimings: false },
    output: {
      codeSplitting: {
        groups: [
          // It stays in the browser's cache when only our own code changes.
          { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
          // Each module with all that it imports and the groups before it lack: few files, for every one takes a phone
          // another journey. The first is what the frame shares with React's pages, the last what is loaded after them.
          {
            name: 'shared',
            test: /\/(?:web\/browser|carried-data|chosen-language|preload-helper)(?:\.\w+)?$/,
          },
          // The footer of every page loads it, and with it nothing of React's.
          { name: 'read-status', test: /\/read-status\.ts$/ },
          { name: 'client', test: /\/entry-client\.tsx$/ },
          {
            name: 'parts',
            test: /\/(?:captcha-(?:dialog|progress)|decoded-id|download|profile-name)\.tsx?$/,
          },
        ],
      },
    },
  },
};

const server = {
  outDir: at('dist/server'),
  copyPublicDir: false,
  target: 'node24',
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
    output: {
      // All in one folder: `import.meta.dirname` is two below the root, as it is in the sources.
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: { legal: true, annotation: false, jsdoc: false },
    },
  },
};

/** The server is not minified, so that the log shows where an error came from. */
export default defineConfig(({ command, isSsrBuild = false }) => ({
  root: at('src/web'),
  css: { modules: { generateScopedName: classInFile } },
  plugins: [
    react(),
    ...(isSsrBuild
      ? [withoutCompilers, inAscii, copyPictures(at('src/sandbox/pictures'), at('dist/server/pictures'))]
      : [
          keepStyles,
          shortPreload,
          addFontLicence(at('dist/web/licences.txt'), 'Figtree', at('src/web/ui/fonts')),
          addFontLicence(
            at('dist/web/licences.txt'),
            'Typefaces of names',
            at('src/web/features/profile/names/typefaces'),
          ),
          precompress(at('dist/web')),
        ]),
  ],
  worker: { plugins: () => [wat()] },
  ...(command === 'build' && {
    // Production installs no packages.
    ssr: { noExternal: true },
    // Otherwise the bundle keeps React's development build beside the other and chooses at run time.
    define: {
      'process.env.NODE_ENV': JSON.stringify('production'),
      // Visitors need not download what React tells its tools.
      __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
    },
  }),
  build: {
    emptyOutDir: true,
    // The first ones with `light-dark()`, which every page needs: for others it is written out, at a fifth more.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy does not allow data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isSsrBuild ? server : web),
  },
}));
