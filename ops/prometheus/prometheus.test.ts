import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findPromtool } from '../../scripts/install-prometheus.mjs';
import { documentedAlerts, unknownMetrics } from '../watching.ts';

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
};
type RuleFile = { groups: { rules: Rule[] }[] };
type TestFile = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };

const here = import.meta.dirname;
const read = <File>(path: string): File => parse(readFileSync(join(here, path), 'utf8')) as File;
const rules = read<RuleFile>('florin-alerts.yml').groups.flatMap((group) => group.rules);
const names = rules.map(({ alert }) => alert);
const testFiles = globSync('tests/*.yml', { cwd: here }).sort();

test('docs/watching.md says what to do about each alert, in the order of the rules', () => {
  expect(documentedAlerts).toEqual(names);
});

test.each(rules)('$alert says how soon a person looks, what is wrong, and leads to its paragraph', (rule) => {
  expect(['page', 'ticket']).toContain(rule.labels.severity);
  expect(rule.annotations.summary).not.toBe('');
  expect(rule.annotations.description).not.toBe('');
  const place = `{{ $externalLabels.florin }}/docs/watching#${rule.alert.toLowerCase()}`;
  expect(rule.annotations.runbook_url).toBe(place);
});

test.each(rules)('$alert names only metrics that there are', ({ expr }) => {
  expect(unknownMetrics(expr)).toEqual([]);
});

test('each alert has a case in which it comes and one in which it does not', () => {
  const cases = testFiles
    .flatMap((file) => read<TestFile>(file).tests)
    .flatMap((each) => each.alert_rule_test);
  const tried = (comes: boolean) =>
    cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === comes).map(({ alertname }) => alertname);
  expect([...new Set(tried(true))].sort()).toEqual([...names].sort());
  expect([...new Set(tried(false))].sort()).toEqual([...names].sort());
});

const promtool = findPromtool();

// Where promtool is not installed these tests are shown as not run.
describe.skipIf(promtool === undefined)('promtool', () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd: here, encoding: 'utf8' });
    return status === 0 ? 'well' : `${stdout}${stderr}`;
  };

  test('finds no fault in the configuration and the rules', () => {
    expect(run('check', 'config', 'prometheus.yml')).toBe('well');
  });

  test.each(testFiles)('finds that the alerts of %s come when they must, and only then', (file) => {
    expect(run('test', 'rules', file)).toBe('well');
  });
});
