// Once imported, TypeScript runs as the JavaScript that an earlier start made of it, which is kept beside the installed
// packages. The compiler would take 8 MB for the life of the process, and Node's own cache of compiled code 15 MB. Relative
// imports are resolved without looking at the disk: Node would do so for each of 6,000 imports, a fifth of the CPU of
// loading a gateway.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(import.meta.dirname, '../../../node_modules/.cache/florin/javascript', process.version);

const besideIt = /^\.\.?\/.*\.(?:ts|mjs)$/;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    if (!parentURL?.startsWith('file:') || !conditions.includes('import') || !besideIt.test(specifier))
      return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (!/^file:.*\.ts$/.test(url)) return next(url, context);
    return { format: 'module', source: javascriptOf(readFileSync(fileURLToPath(url))), shortCircuit: true };
  },
});

function javascriptOf(source) {
  const file = join(folder, createHash('sha256').update(source).digest('hex'));
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const made = withoutTypes(source.toString());
    keep(file, made);
    return made;
  }
}

function withoutTypes(source) {
  const { emitWarning } = process;
  // Node says that this call is experimental; the version of Node is ours.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Writes the file in whole or not at all: another process may read it. Where nothing can be written, all works as without. */
function keep(file, text) {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {}
}
