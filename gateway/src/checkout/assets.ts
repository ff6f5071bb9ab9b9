import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const WEB = new URL('../../../web/', import.meta.url);

/** Joined in this order: later rules win. */
const STYLES = [
  'tokens.css',
  ...['layout', 'state', 'actions', 'destination', 'memo', 'in-browser', 'details', 'media'].map(
    (name) => `checkout/styles/${name}.css`,
  ),
];

/** Modules in the order of their imports. Joined into one scope, so their top-level names must differ. */
const SCRIPTS = ['dom', 'clocks', 'copy', 'swap', 'live', 'page'].map((name) => `checkout/${name}.ts`);

/** Loaded by the page's script where a wallet of the browser can pay; its last module is what that imports. */
const WALLET_SCRIPTS = 'dom elements order problem providers memory transfer talk wallet'
  .split(' ')
  .map((name) => `checkout/${name}.ts`);

/** Likewise, where Pi's own browser can pay. */
const PI_SCRIPTS = ['dom', 'elements', 'memory', 'pi-order', 'pi-sdk', 'pi-calls', 'pi-talk', 'pi'].map(
  (name) => `checkout/${name}.ts`,
);

/** A file that the page loads, ready to send. Its name changes with its content, so it may be cached for ever. */
export type PageFile = {
  path: string;
  /** The last part of the path. */
  name: string;
  contentType: string;
  etag: string;
  body: Buffer;
  gzip: Buffer;
  brotli: Buffer;
};

/** What the page loads beside its HTML: one style sheet, one script, and one more for each way to pay in the browser. */
export type CheckoutAssets = { style: PageFile; script: PageFile; wallet: PageFile; pi: PageFile };

/**
 * Reads and compresses what the page loads. Called once at start; throws when a file is missing.
 * @param payPath path of the hosted page, below which the files are served
 */
export async function loadAssets(payPath: string): Promise<CheckoutAssets> {
  const [style, script, wallet, pi] = await Promise.all([
    readAll(STYLES),
    readAll(SCRIPTS),
    readAll(WALLET_SCRIPTS),
    readAll(PI_SCRIPTS),
  ]);
  const javascript = (name: string, source: string) =>
    pageFile(payPath, name, 'js', 'text/javascript; charset=utf-8', squeezeScript(stripTypes(source)));
  return {
    style: pageFile(payPath, 'page', 'css', 'text/css; charset=utf-8', squeezeStyle(style)),
    script: javascript('page', withoutExports(withoutImports(script))),
    wallet: javascript('wallet', withoutImports(wallet)),
    pi: javascript('pi', withoutImports(pi)),
  };
}

async function readAll(names: string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, WEB), 'utf8')));
  return texts.join('\n');
}

/** One request instead of many: with all modules in one scope their imports have nothing to do. */
function withoutImports(source: string): string {
  return source.replace(/^import [^;]* from '\.\/[a-z-]+\.ts';$/gm, '');
}

function withoutExports(source: string): string {
  return source.replace(/^export /gm, '');
}

function pageFile(
  payPath: string,
  start: string,
  extension: string,
  contentType: string,
  text: string,
): PageFile {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  const name = `${start}-${hash}.${extension}`;
  return {
    path: `${payPath}/${name}`,
    name,
    contentType,
    etag: `"${hash}"`,
    body,
    gzip: gzipSync(body, { level: 9 }),
    brotli: brotliCompressSync(body),
  };
}

/** TypeScript as the browser takes it, without the warning that Node still prints for this call; other warnings pass. */
export function stripTypes(source: string): string {
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
