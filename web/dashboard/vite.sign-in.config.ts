import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { shell } from './shell/plugin.ts';

/** The build of the sign-in page, apart from that of the dashboard, so that the two share no script. It comes second. */
export default defineConfig({
  base: '/app/',
  publicDir: false,
  plugins: [tailwindcss(), shell('paper')],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    manifest: '.vite/sign-in.json',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: fileURLToPath(new URL('./sign-in.html', import.meta.url)) },
  },
});
