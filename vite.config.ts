import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `vite build` makes what the browser loads, `vite build --ssr` the bundle with which the server renders the pages. */
export default defineConfig(({ isSsrBuild = false }) => ({
  root: at('src/web'),
  plugins: [react()],
  // Production installs no React: it is all in the bundle.
  ssr: { noExternal: true },
  // Otherwise the rendering bundle keeps React's development build beside the other and chooses at run time.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    emptyOutDir: true,
    // The content security policy allows neither data: nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isSsrBuild
      ? {
          outDir: at('dist/render'),
          copyPublicDir: false,
          rolldownOptions: { input: at('src/web/entry-render.tsx') },
        }
      : { outDir: at('dist/web') }),
  },
}));
