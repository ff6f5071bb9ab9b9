import type pg from 'pg';
import type { Database } from '../../src/kit/db/db.ts';

/** A node of a plan as PostgreSQL reports it, with what it really did. */
type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Operation?: string;
  Plans?: Node[];
};

/** What one run of a statement read of a table, and how many rows it returned or wrote in all. */
export type Reading = { name: string; table: string; how: string; read: number; result: number };

/** Notes what every named statement of a pool reads while it runs, by the server's own account of its plan. */
export type Watch = {
  readings(): Reading[];
  /** The names of all statements that ran. */
  names(): Set<string>;
  forget(): void;
};

const settings = {
  // The plan for any parameters, which a connection otherwise takes after some runs.
  plan_cache_mode: 'force_generic_plan',
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Watches a database whose pool has not connected yet. `admin`: a connection of another pool. */
export async function watchPlans(db: Database, admin: Database, database: string): Promise<Watch> {
  if (db.totalCount > 0) throw new Error('The pool has connected already');
  for (const [name, value] of Object.entries(settings)) {
    await admin.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  }
  const nameOf = new Map<string, string>();
  const seen = new Set<string>();
  let readings: Reading[] = [];
  db.on('connect', (client) => {
    noteNames(client as pg.Client, nameOf);
    (client as pg.Client).on('notice', ({ message = '' }) => {
      const begin = message.indexOf('{');
      if (!/^duration: /.test(message) || begin < 0) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(begin)) as {
        'Query Text': string;
        Plan: Node;
      };
      const name = nameOf.get(text.trim());
      if (name === undefined) return;
      seen.add(name);
      readings.push(...readingsOf(name, plan));
    });
  });
  return {
    readings: () => readings,
    names: () => new Set(seen),
    forget() {
      readings = [];
    },
  };
}

/** The server reports texts without names. Whatever sends a statement, its connection has it parsed once. */
function noteNames(client: pg.Client, nameOf: Map<string, string>): void {
  type Parsed = { name?: string; text: string };
  const { connection } = client as unknown as { connection: { parse(query: Parsed): void } };
  const parse = connection.parse.bind(connection);
  connection.parse = (query) => {
    if (query.name) nameOf.set(query.text.trim(), query.name);
    parse(query);
  };
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function readingsOf(name: string, plan: Node): Reading[] {
  const nodes = nodesOf(plan);
  const written = nodes
    .filter(({ 'Node Type': type }) => type === 'ModifyTable')
    .flatMap(({ Plans: children = [] }) => children.slice(0, 1).map(rowsOf));
  const result = Math.max(rowsOf(plan), ...written);
  return nodes
    .filter((node) => node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan'))
    .map((node) => ({
      name,
      table: `${node['Relation Name']}`,
      how: node['Node Type'],
      read: rowsOf(node) + loopsOf(node) * removedOf(node),
      result,
    }));
}

const loopsOf = (node: Node): number => node['Actual Loops'] ?? 0;
const rowsOf = (node: Node): number => Math.round((node['Actual Rows'] ?? 0) * loopsOf(node));
const removedOf = (node: Node): number =>
  (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
