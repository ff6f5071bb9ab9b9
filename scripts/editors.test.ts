import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The settings of `.editorconfig` for every file. */
function settingsOfAll(): Record<string, string> {
  const [, section = ''] = /^\[\*\]\n((?:[^[\n].*\n)+)/m.exec(read('.editorconfig')) ?? [];
  const lines = section.split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(lines.map((line) => line.split('=').map((part) => part.trim())));
}

test('editors indent and wrap as the formatter does', () => {
  const { formatter } = JSON.parse(read('biome.json'));
  expect(settingsOfAll()).toMatchObject({
    indent_style: formatter.indentStyle,
    indent_size: `${formatter.indentWidth}`,
    max_line_length: `${formatter.lineWidth}`,
    end_of_line: formatter.lineEnding ?? 'lf',
  });
});

test('.nvmrc names the Node that the packages bring, which the engines of package.json take', () => {
  const { engines, optionalDependencies } = JSON.parse(read('package.json'));
  const brought = Object.values<string>(optionalDependencies).map((version) => version.split('.')[0]);
  const named = read('.nvmrc').trim();
  expect(new Set(brought)).toEqual(new Set([named]));
  expect(Number.parseInt(named, 10)).toBeGreaterThanOrEqual(Number.parseInt(engines.node.slice(2), 10));
});
