import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { stripTypes } from './strip-types.ts';

const WEB = new URL('../../../web/', import.meta.url);

/** Joined in this order: later rules win. */
export const STYLES = [
  'tokens.css',
  ...['layout', 'state', 'actions', 'destination', 'memo', 'in-browser', 'details', 'owed', 'media'].map(
    (name) => `checkout/styles/${name}.css`,
  ),
];

/** Modules in the order of their imports. Joined into one scope, so their top-level names must differ. */
const SCRIPTS = ['dom', 'times', 'clocks', 'copy', 'swap', 'live', 'open-wallet', 'page'].map(
  (name) => `checkout/${name}.ts`,
);

/** A script of its own, imported by the page's script where a browser wallet can pay. It exports what its last module does. */
const WALLET_SCRIPTS = 'dom times elements order problem providers memory transfer sent wallet-status wallet'
  .split(' ')
  .map((name) => `checkout/${name}.ts`);

/** For a claim that is shown once more; the page loads it alone. */
const SIGN_SCRIPTS = ['dom', 'elements', 'problem', 'providers', 'sign'].map((name) => `checkout/${name}.ts`);

/** The same for payments with Pi's SDK. */
const PI_SCRIPTS = [
  'dom',
  'elements',
  'memory',
  'pi-order',
  'pi-sdk',
  'pi-calls',
  'sent',
  'pi-status',
  'pi',
].map((name) => `checkout/${name}.ts`);

/** A file that the page loads, ready to send. Its name holds a hash of its content, so browsers may cache it for ever. */
export type PageFile = {
  path: string;
  /** The last part of the path. */
  name: string;
  contentType: string;
  etag: string;
  body: Buffer;
  /** Made when it is asked for: most starts find it on disk, and it takes longer than all else of a start. */
  gzip(): Buffer;
  brotli(): Buffer;
};

/**
 * What the page loads beside its HTML: one style sheet, one script, another script for each way to pay in the browser, and
 * one that signs a claim.
 */
export type CheckoutAssets = Record<'style' | 'script' | 'wallet' | 'pi' | 'sign', PageFile>;

/**
 * Reads what the page loads. Called once at start; throws when a file is missing.
 * @param payPath path of the hosted page, below which the files are served
 */
export async function loadAssets(payPath: string): Promise<CheckoutAssets> {
  const [style, script, wallet, pi, sign] = await Promise.all([
    readAll(STYLES),
    readAll(SCRIPTS),
    readAll(WALLET_SCRIPTS),
    readAll(PI_SCRIPTS),
    readAll(SIGN_SCRIPTS),
  ]);
  const [page, byWallet, byPi, signing] = (await stripTypes([
    withoutExports(withoutImports(script)),
    withoutImports(wallet),
    withoutImports(pi),
    withoutExports(withoutImports(sign)),
  ])) as [string, string, string, string];
  const javascript = (name: string, text: string) =>
    pageFile(payPath, name, 'js', 'text/javascript; charset=utf-8', squeezeScript(text));
  return {
    style: pageFile(payPath, 'page', 'css', 'text/css; charset=utf-8', squeezeStyle(style)),
    script: javascript('page', page),
    wallet: javascript('wallet', byWallet),
    pi: javascript('pi', byPi),
    sign: javascript('sign', signing),
  };
}

async function readAll(names: string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, WEB), 'utf8')));
  return texts.join('\n');
}

/**
 * One style sheet out of files below `web/`, joined in their order: later rules win.
 * @param path path below which the file is served
 */
export async function loadStyle(path: string, name: string, files: string[]): Promise<PageFile> {
  return pageFile(path, name, 'css', 'text/css; charset=utf-8', squeezeStyle(await readAll(files)));
}

/** One script out of modules below `web/` in the order of their imports: their top-level names must differ. */
export async function loadScript(path: string, name: string, files: string[]): Promise<PageFile> {
  const [text = ''] = await stripTypes([withoutExports(withoutImports(await readAll(files)))]);
  return pageFile(path, name, 'js', 'text/javascript; charset=utf-8', squeezeScript(text));
}

/** Removes imports between modules: all modules are joined into one scope, so that the page needs one request. */
function withoutImports(source: string): string {
  return source.replace(/^import [^;]* from '(?:\.|\.\.|\.\.\/checkout)\/[a-z-]+\.ts';$/gm, '');
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
    gzip: () => gzipSync(body, { level: 9 }),
    brotli: () => brotliCompressSync(body),
  };
}

/** Removes comments and the space around lines. Our style sheets must not have either inside a string. */
function squeezeStyle(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

/** Removes comments that fill whole lines, indentation, and the gaps where types were: no string of ours has two spaces. */
function squeezeScript(source: string): string {
  return source
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' '))
    .filter((line) => line !== '' && !/^(\/\/|\/?\*)/.test(line))
    .join('\n');
}
