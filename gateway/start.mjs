// Starts the gateway with the JavaScript that its TypeScript became at the last start, kept beside the installed
// packages: so a start needs neither the compiler, which takes 20 MB of memory, nor its time. This file alone is
// JavaScript because nothing can be kept before it has run. Where nothing can be written, all works as without.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/florin'));
await import('./src/main.ts');
