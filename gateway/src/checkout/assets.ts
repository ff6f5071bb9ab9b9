import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const WEB = new URL('../../../web/', import.meta.url);

/** Joined in this order: later rules win. */
const STYLES = [
  'tokens.css',
  ...['layout', 'state', 'actions', 'destination', 'details', 'media'].map(
    (name) => `checkout/styles/${name}.css`,
  ),
];

/** Modules in the order of their imports. Joined into one scope, so their top-level names must differ. */
const SCRIPTS = ['dom', 'clocks', 'copy', 'swap', 'live', 'page'].map((name) => `checkout/${name}.ts`);

/** A file that the page loads, ready to send. Its path names its content, so it may be cached for ever. */
export type Asset = {
  path: string;
  contentType: string;
  etag: string;
  body: Buffer;
  gzip: Buffer;
  brotli: Buffer;
};

/** The page's whole first load beside its HTML: one style sheet and one script. */
export type CheckoutAssets = { style: Asset; script: Asset };

/**
 * Reads and compresses what the page loads. Called once at start; throws when a file is missing.
 * @param payPath path of the hosted page, below which the files are served
 */
export async function loadAssets(payPath: string): Promise<CheckoutAssets> {
  const [style, script] = await Promise.all([readAll(STYLES), readAll(SCRIPTS)]);
  return {
    style: asset(payPath, 'css', 'text/css; charset=utf-8', squeezeStyle(style)),
    script: asset(
      payPath,
      'js',
      'text/javascript; charset=utf-8',
      squeezeScript(stripTypes(joinModules(script))),
    ),
  };
}

async function readAll(names: string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, WEB), 'utf8')));
  return texts.join('\n');
}

/** One request instead of six: with all modules in one scope their imports and exports have nothing to do. */
function joinModules(source: string): string {
  return source.replace(/^import [^;]* from '\.\/[a-z]+\.ts';$/gm, '').replace(/^export /gm, '');
}

function asset(payPath: string, extension: string, contentType: string, text: string): Asset {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return {
    path: `${payPath}/page-${hash}.${extension}`,
    contentType,
    etag: `"${hash}"`,
    body,
    gzip: gzipSync(body, { level: 9 }),
    brotli: brotliCompressSync(body),
  };
}

/** Strips types without the warning that Node still prints for this call; other warnings pass. */
function stripTypes(source: string): string {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Drops comments and the space around lines; neither may stand inside a string of ours. */
function squeezeStyle(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

/** Drops comments that fill whole lines, and indentation. */
function squeezeScript(source: string): string {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(\/\/|\/?\*)/.test(line))
    .join('\n');
}
