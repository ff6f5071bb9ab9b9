// Starts the gateway in less memory than Node would take by itself. What does that is JavaScript, because it runs before
// anything can be kept of the TypeScript.
import { withTightMemory } from './src/commands/serving/tight-memory.mjs';

withTightMemory();
await import('./src/kit/kept-javascript.mjs');
await import('./src/main.ts');
