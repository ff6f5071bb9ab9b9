import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { countCpu } from './cpu.ts';
import { endAll } from './endings.ts';

const root = join(import.meta.dirname, '../../..');
const noteFile = countCpu(relative(root, expect.getState().testPath ?? ''));

// Run for each test file, before it. Its own hooks are registered later and so run sooner.
afterAll(async () => {
  try {
    await endAll();
  } finally {
    noteFile();
  }
});

// The same code is judged by the same cases each time; `npm run test:soak` plays new ones.
if (!process.env.SOAK) fc.configureGlobal({ seed: 2026 });
