import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import {
  gateway,
  importsOf,
  isTest,
  matches,
  programs,
  reaches,
  root,
  type Source,
  sources,
} from './support/sources.ts';

const own = 'gateway/test/tidy.test.ts';

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

describe('the packages', () => {
  // What each may import of the repository's own besides itself.
  const neighbours: Record<string, string[]> = {
    'gateway/src': ['@florin/receiver-check', 'web/proof/'],
    'sdk/typescript/src': [],
    'receiver-check/src': [],
    'cli/src': [
      '@florin/receiver-check',
      '@florin/sdk',
      'bench/seed/',
      'gateway/src/commands/',
      'gateway/src/kit/net/safe-fetch.ts',
    ],
    // The dashboard shows the text of the receivers, and knows the types of what the gateway answers.
    // It also recomputes addresses by the SDK's own check.
    web: ['examples/receivers/', 'gateway/src/', 'sdk/typescript/src/'],
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
          /^(?:@florin\/|gateway\/|sdk\/|cli\/|receiver-check\/|web\/|examples\/|scripts\/|bench\/)/.test(to),
        )
        .filter(({ from, to }) => {
          const home = isTest(from) ? folder.split('/src')[0]! : folder;
          return !to.startsWith(`${home}/`) && !allowed.some((prefix) => to.startsWith(prefix));
        });
      expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    },
  );

  test('of the gateway, the pages import the types of answers and nothing else', () => {
    const pages = programs.filter(({ path }) => path.startsWith('web/'));
    const ofGateway = (file: Source) => importsOf(file).filter((to) => to.startsWith('gateway/'));
    const others = pages.flatMap(ofGateway).filter((to) => !/[/-]answers(?:\/[\w-]+)?\.ts$/.test(to));
    expect(others).toEqual([]);
    const values = pages
      .map(({ path, text }) => ({ path, text: text.replaceAll(/^import type\b[^;]*;/gm, '') }))
      .filter((file) => ofGateway(file).length > 0);
    expect(values.map(({ path }) => path)).toEqual([]);
  });

  test.each([
    'gateway',
    'sdk/typescript',
    'cli',
    'receiver-check',
    'examples/shop',
    'examples/receivers',
    'web/dashboard',
  ])('%s imports only packages that it lists', (folder) => {
    const listed = dependenciesOf(folder);
    const tools = dependenciesOf('.');
    const wrong = programs
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap((file) =>
        importsOf(file)
          .filter((to) => !/\.(?:tsx?|css|json)$|\?raw$/.test(to) && !isBuiltin(to))
          .filter((to) => !programs.some(({ path }) => path === to))
          .map(packageOf)
          .filter((name) => name !== '@florin/sdk' || folder !== 'sdk/typescript')
          .filter((name) => !listed.includes(name) && !(isDevelopment(file.path) && tools.includes(name)))
          .map((name) => `${file.path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  function isDevelopment(path: string): boolean {
    return isTest(path) || !/\/src\//.test(path);
  }

  test('the sdk needs no package at all', () => {
    expect(dependenciesOf('sdk/typescript')).toEqual([]);
  });
});

describe('the code', () => {
  const everywhere = sources('**/*.{ts,tsx,mjs,js,sql,css,html,md,json,yml,yaml}').filter(
    ({ path }) => path !== own,
  );
  const code = programs.filter(({ path }) => path !== own);
  const nearMoney = code.filter(({ path }) => /^(?:gateway|sdk|cli|receiver-check|examples)\//.test(path));

  test('no file imports itself by way of others', () => {
    const next = new Map(
      code.filter(({ path }) => !isTest(path)).map((file) => [file.path, importsOf(file)]),
    );
    expect([...next.keys()].filter((path) => reaches(next, path, path))).toEqual([]);
  });

  test('money never passes through a parser or converter of floats', () => {
    expect(matches(nearMoney, /\bparse(?:Float|Units)\b/g)).toEqual([]);
    const converting = nearMoney.filter(({ path }) => path !== 'gateway/src/money/money.ts' && !isTest(path));
    expect(matches(converting, /^.*(?<![.\w])Number\(.*$/gm)).toEqual([]);
  });

  test('time comes from the clock', () => {
    const clocks = ['gateway/src/kit/clock.ts', 'gateway/src/kit/ids.ts', 'cli/src/clock.ts'];
    const others = code.filter(
      ({ path }) => /^(?:gateway\/src|cli|receiver-check)\//.test(path) && !isTest(path),
    );
    const wrong = matches(
      others.filter(({ path }) => !clocks.includes(path)),
      /\bDate\.now\(|\bnew Date\(\)/g,
    );
    expect(wrong).toEqual([]);
  });

  test('the gateway loads of undici only what kit/net/undici.ts does: the whole of it takes 5 MB', () => {
    expect(matches(gateway, /^import (?!type)[^;]*'undici'/gm)).toEqual([]);
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

  test('no source speaks of a lane: the glossary has endpoint queues and sender locks', () => {
    expect(matches(code, /\blanes?\b|Lane/gi)).toEqual([]);
  });

  test('the gateway names things by the words of the glossary', () => {
    const former =
      /\b(?:giveBack|tell[A-Z]\w*|told[A-Z]\w*|undo[A-Z]\w*|strikes?|surplus[A-Z]\w*|stray[A-Z]\w*)\b/g;
    expect(matches(gateway, former)).toEqual([]);
  });

  test('nothing is left to be done', () => {
    expect(matches(everywhere, /\b(?:TODO|FIXME|XXX)\b/g)).toEqual([]);
  });

  test('no file is longer than 300 lines', () => {
    const long = sources(
      '{gateway,sdk,cli,receiver-check,contracts,web,examples}/**/*.{ts,tsx,mjs,js,sql,css}',
    )
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
