import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endAll } from './endings.ts';

// Run for each test file, before it. Its own hooks are registered later and so run sooner.
afterAll(endAll);

// The same code is judged by the same cases each time; `npm run soak` plays new ones.
if (!process.env.SOAK) fc.configureGlobal({ seed: 2026 });
