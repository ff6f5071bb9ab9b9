// Builds the dashboard when its sources have changed. `npm start` and `npm test` run it first.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ownTexts } from './texts/own-texts.ts';

const root = dirname(import.meta.dirname);
const dashboard = join(root, 'web', 'dashboard');
const output = join(dashboard, 'dist');
const stamp = '.fingerprint';
/** Vite's manifest of each of its two builds: the dashboard, and the sign-in page. */
const manifestFile = join('.vite', 'manifest.json');
const signInManifestFile = join('.vite', 'sign-in.json');
/** The largest allowed size of the script that loads before the first screen, compressed by gzip. */
const firstScriptLimit = 220 * 1024;
/** The largest allowed number of scripts of a page, including the scripts of the first screen and of the frame. */
const mostScripts = 6;
/** The program, which the first script loads for people who are signed in. */
const program = 'src/main.tsx';
/** The page that the dashboard opens with. */
const firstPage = 'src/pages/overview/overview-page.tsx';
/** Names the files that the sign-in page fetches, so that the browser has them after the sign-in. */
const programFile = 'program.json';
/** The largest allowed size of the sign-in page with its script and its styles, compressed by gzip. */
const signInLimit = 20 * 1024;
const compressible = /\.(?:js|css|html|svg|json)$/;

/** One entry of Vite's manifest. */
export type ManifestChunk = {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
  assets?: string[];
};
export type Manifest = Record<string, ManifestChunk>;

/** A hash of everything that the output depends on: sources, shared tokens, and the locked versions of the tools. */
export function fingerprint(): string {
  const hash = createHash('sha256');
  const exclude = ['**/node_modules/**', 'web/dashboard/dist*/**', '**/*.test.ts'];
  const shown = ['docs/webhooks.md', 'examples/receivers/src/*.ts'];
  const texts = 'scripts/texts/*.ts';
  const sources = globSync(['web/dashboard/**/*.*', 'web/*.css', texts, ...shown], {
    cwd: root,
    exclude,
  }).sort();
  for (const path of [...sources, 'package-lock.json', 'scripts/build-dashboard.ts']) {
    hash
      .update(`${path.replaceAll('\\', '/')}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** The program and the files that it imports at once, each once. */
export function firstScripts(manifest: Manifest): string[] {
  return scriptsOf(manifest, [program]);
}

/**
 * What the browser needs to show the first page after the sign-in, by addresses: `all`, and by the code of a language its
 * texts.
 */
export function programFiles(manifest: Manifest): Record<string, string[]> {
  const keys = ['index.html', program, firstPage];
  const files = [...scriptsOf(manifest, keys), ...keys.flatMap((key) => manifest[key]?.css ?? [])];
  const texts = Object.entries(manifest).flatMap(([key, { file }]) => {
    const code = /^src\/texts\/(?:gateway\/)?(\w+)\.json$/.exec(key)?.[1];
    return code === undefined ? [] : [{ code, file }];
  });
  const ofLanguages = Object.entries(Object.groupBy(texts, ({ code }) => code));
  const addressesOf = (names: readonly string[]) => names.map((name) => `/app/${name}`);
  return Object.fromEntries([
    ['all', addressesOf(files)],
    ...ofLanguages.map(([code, found = []]) => [code, addressesOf(found.map(({ file }) => file))]),
  ]);
}

/** The faults of pages that load too many scripts, in words. */
export function scatteredPages(manifest: Manifest): string[] {
  const pages = Object.keys(manifest).filter((key) => /^src\/pages\/.*-page\.tsx$/.test(key));
  return pages.flatMap((page) => {
    const { length } = scriptsOf(manifest, [program, page]);
    return length > mostScripts ? [`${page} loads ${length} scripts`] : [];
  });
}

function scriptsOf(manifest: Manifest, keys: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return [...seen];
}

/**
 * Builds into `web/dashboard/dist`, unless it is up to date. Two builds may run at once: each builds into its own
 * folder, and the first one to finish is used.
 * @returns whether anything was built
 * @throws when the sources do not build, the first script is larger than it may be, or a page loads too many scripts
 */
export async function buildDashboard(): Promise<boolean> {
  const wanted = fingerprint();
  if (builtFingerprint() === wanted) return false;
  const beside = `${output}-${process.pid}`;
  try {
    const { build } = await import('vite');
    const common = { root: dashboard, configLoader: 'native', logLevel: 'warn' } as const;
    // The output replaces an older one completely, so that files of two builds are never mixed.
    await build({
      ...common,
      configFile: join(dashboard, 'vite.config.ts'),
      build: { outDir: beside, emptyOutDir: true },
    });
    await build({
      ...common,
      configFile: join(dashboard, 'vite.sign-in.config.ts'),
      plugins: [ownTexts(join(dashboard, 'src', 'sign-in', 'main.ts'))],
      build: { outDir: beside },
    });
    const files = programFiles(manifestIn(beside, manifestFile));
    writeFileSync(join(beside, programFile), JSON.stringify(files));
    console.log(report(beside));
    compress(beside);
    writeFileSync(join(beside, stamp), wanted);
    if (builtFingerprint() !== wanted) replace(beside);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  return true;
}

function builtFingerprint(): string | undefined {
  const file = join(output, stamp);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function replace(beside: string): void {
  const old = `${beside}-old`;
  try {
    keepFiles(output, beside);
    if (existsSync(output)) renameSync(output, old);
    renameSync(beside, output);
  } catch (error) {
    // Another build of the same sources was put in place at the same time.
    if (!existsSync(join(output, stamp))) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/** Copies files that open pages of the build in `from` may still load to a newer build. */
export function keepFiles(from: string, to: string): void {
  for (const name of filesOf([manifestFile, signInManifestFile].map((file) => manifestIn(from, file)))) {
    for (const path of [name, `${name}.gz`, `${name}.br`]) {
      if (existsSync(join(from, path)) && !existsSync(join(to, path))) {
        copyFileSync(join(from, path), join(to, path));
      }
    }
  }
}

function manifestIn(directory: string, name: string): Manifest {
  const file = join(directory, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

function filesOf(manifests: readonly Manifest[]): Set<string> {
  const chunks = manifests.flatMap((manifest) => Object.values(manifest));
  return new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
}

/** Returns a line about the sizes; throws above the limits. */
function report(directory: string): string {
  const manifest = manifestIn(directory, manifestFile);
  const scripts = [...new Set(Object.values(manifest).map((chunk) => chunk.file))].filter((name) =>
    name.endsWith('.js'),
  );
  const first = sumGzip(directory, firstScripts(manifest));
  const all = sumGzip(directory, scripts);
  const words = `first script ${kilobytes(first)} of ${kilobytes(firstScriptLimit)}, ${scripts.length} scripts ${kilobytes(all)} (gzip)`;
  if (first > firstScriptLimit) throw new Error(`The dashboard's first script is too large: ${words}`);
  const scattered = scatteredPages(manifest);
  if (scattered.length > 0) {
    throw new Error(`Pages may load ${mostScripts} scripts at most: ${scattered.join(', ')}`);
  }
  const signIn = sumGzip(directory, signInFiles(manifestIn(directory, signInManifestFile)));
  const signInWords = `sign-in page ${kilobytes(signIn)} of ${kilobytes(signInLimit)}`;
  if (signIn > signInLimit) throw new Error(`The sign-in page is too large: ${signInWords}`);
  return `Dashboard built: ${words}, ${signInWords}`;
}

/** The sign-in page with what it loads at once, in English. */
function signInFiles(manifest: Manifest): string[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const styles = entries.flatMap((key) => manifest[key]?.css ?? []);
  return ['sign-in.html', ...scriptsOf(manifest, entries), ...styles];
}

function sumGzip(directory: string, files: string[]): number {
  return files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(directory, file)), { level: 9 }).length,
    0,
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

/** Writes compressed copies beside each file, which the gateway sends as they are. */
function compress(directory: string): void {
  for (const name of globSync('**/*', { cwd: directory, exclude: ['.vite/**'] })) {
    if (!compressible.test(name)) continue;
    const body = readFileSync(join(directory, name));
    writeFileSync(join(directory, `${name}.gz`), gzipSync(body, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(join(directory, `${name}.br`), brotliCompressSync(body, { params }));
  }
}

if (import.meta.main) await buildDashboard();
