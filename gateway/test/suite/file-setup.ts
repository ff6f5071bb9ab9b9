import { afterAll } from 'vitest';
import { endAll } from './endings.ts';

// Run for each test file, before it. Its own hooks are registered later and so run sooner.
afterAll(endAll);
