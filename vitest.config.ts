import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './gateway/test/suite/longest-first.ts';
import { findBrowser } from './scripts/install-browser.mjs';

const browser = findBrowser();

export default defineConfig({
  test: {
    include: ['{gateway,sdk,cli,receiver-check,contracts,examples,bench,web,scripts,shops,ops}/**/*.test.ts'],
    // Whole stories of which `npm test` plays the parts.
    exclude: [...configDefaults.exclude, ...(process.env.SOAK ? [] : ['**/*.soak-only.test.ts'])],
    globalSetup: ['gateway/test/suite/global-setup.ts'],
    setupFiles: ['gateway/test/suite/file-setup.ts'],
    // A test left alone by `.only` would hide all the others from `npm test`.
    allowOnly: false,
    // On a busy machine everything takes longer. A limit only has to end what would never end.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 300_000 } },
    sequence: { sequencer: LongestFirst },
    // Many tests wait: with as many workers as the smallest machine has cores, these were idle at times.
    maxWorkers: 4,
    env: {
      // Programs that the tests start are compiled once.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/florin-tests'),
      ...(browser && { CHROMIUM_PATH: browser }),
    },
    // Half of the time went into loading the same modules for each file.
    isolate: false,
  },
});
