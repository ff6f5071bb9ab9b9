import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findPromtool } from '../../scripts/install-prometheus.mjs';
import { documentedMetrics, unknownMetrics } from '../watching.ts';
import { boardFiles } from './boards.ts';

type Place = { h: number; w: number; x: number; y: number };
type Placed = {
  id: number;
  title: string;
  type: string;
  description?: string;
  gridPos: Place;
  targets?: { refId: string; expr: string }[];
};
type BoardFile = { uid: string; title: string; panels: Placed[]; templating: { list: { name: string }[] } };

const here = import.meta.dirname;
const files = globSync('*.json', { cwd: here }).sort();
const boards = files.map((file) => JSON.parse(readFileSync(join(here, file), 'utf8')) as BoardFile);
const expressionsOf = ({ panels }: BoardFile): string[] =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** An expression as Prometheus gets it, once Grafana has put in the values of its variables. */
const filled = (expr: string): string =>
  expr.replaceAll(/\$__(?:rate_interval|range)/g, '5m').replaceAll(/\$\w+/g, '.*');

test('every board that is made is a file, and no other', () => {
  expect(files.map((file) => `ops/grafana/${file}`)).toEqual(boardFiles.map(({ path }) => path).sort());
  expect(new Set(boards.map(({ uid }) => uid)).size).toBe(boards.length);
});

describe.each(boards)('$title', (board) => {
  const { panels, templating } = board;

  test('gives each panel a number, a title and words of its own', () => {
    const shown = panels.filter(({ type }) => type !== 'row');
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(shown.filter(({ title, description }) => !title || !description)).toEqual([]);
    for (const { targets = [] } of shown) {
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  test('lays no panel over another one or beside the edge', () => {
    const overlap = (a: Place, b: Place) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    const wrong = panels.filter(
      ({ id, gridPos }) =>
        gridPos.x + gridPos.w > 24 ||
        panels.some((other) => other.id > id && overlap(gridPos, other.gridPos)),
    );
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  test('names only metrics and variables that there are', () => {
    const variables = templating.list.map(({ name }) => name);
    for (const expr of expressionsOf(board)) {
      expect([expr, unknownMetrics(filled(expr))]).toEqual([expr, []]);
      const named = [...expr.matchAll(/\$(?!__)(\w+)/g)].map(([, name]) => name);
      expect(named.filter((name) => !variables.includes(name!))).toEqual([]);
    }
  });
});

test('every metric that docs/watching.md has is on a board', () => {
  const all = boards.flatMap(expressionsOf).join('\n');
  const missing = documentedMetrics.filter(
    (name) => !new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(all),
  );
  expect(missing).toEqual([]);
});

const promtool = findPromtool();

test.skipIf(promtool === undefined)('Prometheus can read every expression', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-boards-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const rules = boards
    .flatMap(expressionsOf)
    .map((expr, index) => ({ record: `a${index}`, expr: filled(expr) }));
  const path = join(folder, 'rules.yml');
  // YAML reads JSON.
  await writeFile(path, JSON.stringify({ groups: [{ name: 'boards', rules }] }));
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'rules', path], {
    encoding: 'utf8',
  });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
});
