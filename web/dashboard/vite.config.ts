import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { shell } from './shell/plugin.ts';

/** While the dashboard is written, the sign-in page has the address that the gateway serves it at. */
const signInAddress: Plugin = {
  name: 'sign-in-address',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/app\/sign-in(?=$|[/?])\/?/, '/app/sign-in.html');
      next();
    });
  },
};

/** The build of the dashboard. `scripts/build-dashboard.ts` runs it; `npx vite` here serves it while it is written. */
export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss(), signInAddress, shell('paper', 'frame')],
  resolve: {
    alias: {
      // Radix's scroll lock writes a <style> element by this package, which the page's policy refuses.
      'react-style-singleton': fileURLToPath(new URL('./src/ui/dialog/style-singleton.ts', import.meta.url)),
    },
  },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'es2023',
    // Small files too stay files, so that the policy needs no data: for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // A page is the first script and four more: what others made, what several pages share, the program with its frames, and
      // the page itself. Charts load when they are shown.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What the first script needs, so that it loads nothing else; and what loads scripts, which others have from it.
            {
              name: 'start',
              test: /[\\/]src[\\/](?:start|api[\\/](?:sign-in-address|search|last-place))\.ts$|preload-helper/,
              priority: 2,
            },
            // With the file of ours that stands in for one of theirs, so that neither script waits for the other.
            {
              name: 'vendor',
              test: /[\\/]node_modules[\\/](?!d3-|internmap)|[\\/]style-singleton\.ts$/,
              priority: 1,
            },
            {
              name: 'shared',
              // With the files that the dashboard has in common with the other pages.
              test: /[\\/]web[\\/](?:[\w.-]+$|dashboard[\\/]src[\\/](?!ui[\\/]chart[\\/]))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/console': { target: process.env.GATEWAY ?? 'http://127.0.0.1:4000', changeOrigin: true } },
  },
});
