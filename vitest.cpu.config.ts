import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{gateway,sdk,cli,contracts,examples,bench,web,scripts}/**/*.test.ts'],
    globalSetup: ['gateway/test/suite/global-setup.ts'],
    setupFiles: ['/tmp/suite-cpu.ts', 'gateway/test/suite/file-setup.ts'],
    // A test left alone by `.only` would hide all the others from `npm test`.
    allowOnly: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What happens in the background happens later on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 1,
    // Programs that the tests start are compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/florin-tests') },
    // Half of the time went into loading the same modules for each file.
    isolate: false,
  },
});
