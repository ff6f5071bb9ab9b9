import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findBrowser } from '../../scripts/install-browser.mjs';

const browser = findBrowser();
const root = join(import.meta.dirname, '../..');

export default defineConfig({
  root,
  test: {
    include: ['shops/harness/stories/*.story.ts'],
    globalSetup: ['gateway/test/suite/global-setup.ts'],
    setupFiles: ['gateway/test/suite/file-setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    maxWorkers: 1,
    isolate: false,
    env: browser ? { CHROMIUM_PATH: browser } : {},
  },
});
