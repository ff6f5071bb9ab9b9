import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The build of the dashboard. `scripts/build-dashboard.ts` runs it; `npx vite` here serves it while it is written. */
export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss()],
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
      // A page is four scripts: what others made, what several pages share, the program, and the page itself. Charts load when
      // they are shown.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // With the file of ours that stands in for one of theirs, so that neither script waits for the other, and what loads scripts.
            {
              name: 'vendor',
              test: /[\\/]node_modules[\\/](?!d3-|internmap)|[\\/]style-singleton\.ts$|preload-helper/,
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
