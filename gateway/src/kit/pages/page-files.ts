import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fileOf } from '../programs.ts';
import { stripTypes } from './strip-types.ts';

const WEB = new URL('../../../../web/', import.meta.url);

/** A file that the page loads, ready to send. Its name holds a hash of its content, so browsers may cache it for ever. */
export type PageFile = {
  path: string;
  /** The last part of the path. */
  name: string;
  contentType: string;
  etag: string;
  body: Buffer;
  /** Compressed on each call: most starts find it on disk, and it takes longer than the rest of a start. */
  gzip(): Buffer;
  brotli(): Buffer;
};

async function readAll(names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(new URL(fileOf(name), WEB), 'utf8')));
  return texts.join('\n');
}

/**
 * One style sheet out of files below `web/`, joined in their order: later rules win.
 * @param path path below which the file is served
 */
export async function loadStyle(path: string, name: string, files: readonly string[]): Promise<PageFile> {
  const text = squeezeStyle(await readAll(files));
  return pageFile(path, { start: name, extension: 'css', contentType: 'text/css; charset=utf-8', text });
}

/** One script out of modules below `web/` in the order of their imports: their top-level names must differ. */
export type Script = {
  name: string;
  files: readonly string[];
  /** Another script imports it, and gets what its last module exports. */
  isImported?: boolean;
  /** Pages of others load it: none of its names is theirs. */
  isForOthers?: boolean;
  /** What the server writes in, by the text that stands for it. */
  filled?: Record<string, string>;
};

/**
 * Loads scripts, for which the compiler is started only once.
 * @param path path below which the files are served
 */
export async function loadScripts(path: string, scripts: readonly Script[]): Promise<PageFile[]> {
  const texts = await stripTypes(await Promise.all(scripts.map(sourceOf)));
  return scripts.map((script, index) => scriptFile(path, script, texts[index] ?? ''));
}

async function sourceOf({ files, isImported }: Script): Promise<string> {
  const source = withoutImports(await readAll(files));
  return isImported ? source : withoutExports(source);
}

function scriptFile(path: string, { name, isForOthers, filled = {} }: Script, text: string): PageFile {
  let squeezed = squeezeScript(text);
  for (const [mark, value] of Object.entries(filled)) squeezed = squeezed.replaceAll(mark, () => value);
  return pageFile(path, {
    ...{ start: name, extension: 'js', contentType: 'text/javascript; charset=utf-8' },
    text: isForOthers ? `(()=>{${squeezed}})()` : squeezed,
  });
}

/** Removes imports between modules: all modules are joined into one scope, so that the page needs one request. */
function withoutImports(source: string): string {
  return source.replace(/^import [^;]* from '(?:\.|\.\.|\.\.\/checkout)\/[a-z0-9-]+\.ts';$/gm, '');
}

function withoutExports(source: string): string {
  return source.replace(/^export /gm, '');
}

/** `start` and `extension`: of its name. */
type FileContent = { start: string; extension: string; contentType: string; text: string };

function pageFile(path: string, { start, extension, contentType, text }: FileContent): PageFile {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  const name = `${start}-${hash}.${extension}`;
  return {
    path: `${path}/${name}`,
    name,
    contentType,
    etag: `"${hash}"`,
    body,
    gzip: () => gzipSync(body, { level: 9 }),
    brotli: () => brotliCompressSync(body),
  };
}

/**
 * Removes comments, space that separates nothing, and tokens that nothing in the sheet uses. Our style sheets must not have any of
 * them inside a string.
 */
function squeezeStyle(source: string): string {
  const text = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?|(:) /g, '$1$2')
    .replaceAll(';}', '}')
    .trim();
  return text.replace(/(--[\w-]+):[^;}]+;?/g, (whole, name) => (text.includes(`var(${name})`) ? whole : ''));
}

/** Strings and templates. None of ours has another inside; no regular expression has a quote or a space. */
const literals = /('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/;

/** Removes comments on lines of their own, and space that separates nothing, such as where types were. */
function squeezeScript(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '' && !/^(\/\/|\/?\*)/.test(line))
    .join('\n')
    .split(literals)
    .map((part, index) => (index % 2 === 1 ? part : withoutSpace(part)))
    .join('');
}

function withoutSpace(code: string): string {
  return code
    .replace(/ {2,}/g, ' ')
    .replace(/([{(,;])\n/g, '$1')
    .replace(/ ?([=?:{}(),;<>|&]) ?/g, '$1');
}
