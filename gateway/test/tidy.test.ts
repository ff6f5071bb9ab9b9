import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const own = 'gateway/test/tidy.test.ts';

type Source = { path: string; text: string };

/** The repository's files that match, without what is installed, made or kept out of it. */
function sources(...patterns: string[]): Source[] {
  const exclude = [
    '**/node_modules/**',
    '.git/**',
    '**/dist*/**',
    'data/**',
    'coverage/**',
    'screenshots/**',
  ];
  const paths = globSync(patterns, { cwd: root, exclude }).map((path) => path.replaceAll('\\', '/'));
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

// A slice's `fixtures.ts` is what its tests share.
const isTest = (path: string): boolean => /\.test\.ts$|\/test\/|\/fixtures\.ts$/.test(path);
const programs = sources('{gateway,sdk,cli,contracts,web,examples,scripts,bench}/**/*.{ts,tsx,mjs,js}');
const gateway = programs.filter(({ path }) => path.startsWith('gateway/src/') && !isTest(path));

/** `path: matched text` for every match. */
function matches(files: Source[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`),
  );
}

const importPatterns = [
  /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'/gm,
  /^import '([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
];

/** What a file imports: paths from the root for the repository's own files, names for packages. */
function importsOf({ path, text }: Source): string[] {
  const specifiers = importPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match[1]!),
  );
  return specifiers.map((name) => (name.startsWith('.') ? join(dirname(path), name) : name));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
}

describe('the slices of the gateway', () => {
  // A slice imports those before it; those on one line never import each other.
  const order = [
    ['kit'],
    ['identity'],
    ['ledger', 'rails', 'webhooks'],
    ['payments'],
    ['wallets'],
    ['checkout'],
    ['app'],
  ];
  // Folders of the top level, where whatever joins the slices lies.
  const atTop = ['backup', 'commands', 'local-chain', 'local-pi'];
  const sliceOf = (path: string): string => {
    const [slice, rest] = path.slice('gateway/src/'.length).split('/');
    return rest === undefined || atTop.includes(slice!) ? 'app' : slice!;
  };
  const levelOf = (path: string): number => order.findIndex((slices) => slices.includes(sliceOf(path)));
  const edges = gateway.flatMap((file) =>
    importsOf(file)
      .filter((to) => to.startsWith('gateway/'))
      .map((to) => ({ from: file.path, to })),
  );
  const show = ({ from, to }: { from: string; to: string }): string => `${from} imports ${to}`;

  test('every folder of the source is a slice', () => {
    expect(gateway.filter(({ path }) => levelOf(path) < 0).map(({ path }) => path)).toEqual([]);
  });

  test('a slice imports only the slices before it', () => {
    const wrong = edges.filter(
      ({ from, to }) => sliceOf(from) !== sliceOf(to) && levelOf(to) >= levelOf(from),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  test("no slice reads another slice's SQL", () => {
    const wrong = edges.filter(({ from, to }) => to.endsWith('/sql.ts') && sliceOf(from) !== sliceOf(to));
    expect(wrong.map(show)).toEqual([]);
  });

  test('the source imports nothing of the tests', () => {
    expect(edges.filter(({ to }) => isTest(to)).map(show)).toEqual([]);
  });

  test("a payment's status is written by the one statement that only moveTo uses", () => {
    const update =
      /\bUPDATE payments\b(?: (?:AS )?\w+)?\s+SET\s(?:(?!\bWHERE\b|\bFROM\b)[^`])*?\bstatus\s*=/g;
    expect(matches(gateway, update).map((found) => found.split(':')[0])).toEqual([
      'gateway/src/payments/sql.ts',
    ]);
    const users = gateway.filter(({ text }) => text.includes('movePaymentSql')).map(({ path }) => path);
    expect(users).toEqual(['gateway/src/payments/sql.ts', 'gateway/src/payments/state.ts']);
  });

  test('the ledger alone writes its tables', () => {
    const others = gateway.filter(({ path }) => sliceOf(path) !== 'ledger');
    expect(matches(others, /\b(?:INSERT INTO|UPDATE|DELETE FROM) ledger_\w+/g)).toEqual([]);
  });
});

describe('the packages', () => {
  // What each may import of the repository's own besides itself.
  const neighbours: Record<string, string[]> = {
    'gateway/src': [],
    'sdk/src': [],
    'cli/src': ['@florin/sdk', 'gateway/src/commands/'],
    // The dashboard shows their text.
    web: ['examples/receivers/'],
    'examples/shop': ['@florin/sdk'],
    'examples/receivers': ['@florin/sdk'],
  };

  test.each(Object.entries(neighbours))(
    'of ours, %s imports only itself and its neighbours',
    (folder, allowed) => {
      const wrong = programs
        .filter(({ path }) => path.startsWith(`${folder}/`) && !(folder === 'gateway/src' && isTest(path)))
        .flatMap((file) => importsOf(file).map((to) => ({ from: file.path, to })))
        .filter(({ to }) =>
          /^(?:@florin\/|gateway\/|sdk\/|cli\/|web\/|examples\/|scripts\/|bench\/)/.test(to),
        )
        .filter(({ from, to }) => {
          const home = isTest(from) ? folder.split('/src')[0]! : folder;
          return !to.startsWith(`${home}/`) && !allowed.some((prefix) => to.startsWith(prefix));
        });
      expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    },
  );

  test.each(['gateway', 'sdk', 'cli', 'examples/shop', 'examples/receivers', 'web/dashboard'])(
    '%s imports only packages that it lists',
    (folder) => {
      const listed = dependenciesOf(folder);
      const tools = dependenciesOf('.');
      const wrong = programs
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .flatMap((file) =>
          importsOf(file)
            .filter((to) => !/\.(?:tsx?|css|json)$|\?raw$/.test(to) && !isBuiltin(to))
            .map(packageOf)
            .filter((name) => name !== '@florin/sdk' || folder !== 'sdk')
            .filter((name) => !listed.includes(name) && !(isDevelopment(file.path) && tools.includes(name)))
            .map((name) => `${file.path} imports ${name}`),
        );
      expect(wrong).toEqual([]);
    },
  );

  function isDevelopment(path: string): boolean {
    return isTest(path) || !/\/src\//.test(path);
  }

  test('the sdk needs no package at all', () => {
    expect(dependenciesOf('sdk')).toEqual([]);
  });
});

describe('the code', () => {
  const everywhere = sources('**/*.{ts,tsx,mjs,js,sql,css,html,md,json,yml,yaml}').filter(
    ({ path }) => path !== own,
  );
  const code = programs.filter(({ path }) => path !== own);
  const nearMoney = code.filter(({ path }) => /^(?:gateway|sdk|cli|examples)\//.test(path));

  test('no file imports itself by way of others', () => {
    const next = new Map(
      code.filter(({ path }) => !isTest(path)).map((file) => [file.path, importsOf(file)]),
    );
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      (next.get(from) ?? []).some((to) => {
        if (to === goal) return true;
        if (seen.has(to)) return false;
        seen.add(to);
        return reaches(to, goal, seen);
      });
    expect([...next.keys()].filter((path) => reaches(path, path))).toEqual([]);
  });

  test('money never passes through a parser or converter of floats', () => {
    expect(matches(nearMoney, /\bparse(?:Float|Units)\b/g)).toEqual([]);
    const converting = nearMoney.filter(({ path }) => path !== 'gateway/src/kit/money.ts' && !isTest(path));
    expect(matches(converting, /^.*(?<![.\w])Number\(.*$/gm)).toEqual([]);
  });

  test('time comes from the clock', () => {
    const clocks = ['gateway/src/kit/clock.ts', 'gateway/src/kit/ids.ts', 'cli/src/clock.ts'];
    const others = code.filter(({ path }) => /^(?:gateway\/src|cli)\//.test(path) && !isTest(path));
    const wrong = matches(
      others.filter(({ path }) => !clocks.includes(path)),
      /\bDate\.now\(|\bnew Date\(\)/g,
    );
    expect(wrong).toEqual([]);
  });

  test('the gateway logs through its logger', () => {
    expect(matches(gateway, /\bconsole\.(?!ts\b)\w+/g)).toEqual([]);
  });

  test('nothing silences the compiler', () => {
    expect(matches(code, /@ts-(?:ignore|nocheck|expect-error)/g)).toEqual([]);
  });

  test('nothing is exported by default', () => {
    // Tools find their configuration by its default export.
    const ours = code.filter(({ path }) => !path.endsWith('.config.ts'));
    expect(matches(ours, /^export default\b.*$/gm)).toEqual([]);
  });

  test('nothing is left to be done', () => {
    expect(matches(everywhere, /\b(?:TODO|FIXME|XXX)\b/g)).toEqual([]);
  });

  test('no file is longer than 300 lines', () => {
    const long = sources('{gateway,sdk,cli,contracts,web,examples}/**/*.{ts,tsx,mjs,js,sql,css}')
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  test('no file names a place of the machine it was written on, or a package registry', () => {
    expect(matches(everywhere, /(?<![\w.~-])\/(?:work|root|home\/\w+|Users\/\w+)\/\S*/g)).toEqual([]);
    expect(
      matches(everywhere, /\bregistry\.\w[\w.-]*\.\w+|\bproxy\.golang\.org|\b(?:artifactory|verdaccio)\b/gi),
    ).toEqual([]);
  });
});
