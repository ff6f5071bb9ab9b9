import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findBrowser } from '../install-browser.mjs';

const browser = findBrowser();

// `npm run experience`, `npm run first-hour` and `npm run pictures`: they use the fixtures of the tests, and are no tests.
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['scripts/measures/*.measure.ts'],
    globalSetup: ['gateway/test/suite/global-setup.ts'],
    setupFiles: ['gateway/test/suite/file-setup.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    isolate: false,
    env: { ...(browser && { CHROMIUM_PATH: browser }) },
  },
});
