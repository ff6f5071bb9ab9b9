import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import type { Cluster } from './postgres-cluster.ts';
import { openSpool, removeSpool, spoolOf, spoolSettings } from './wal-spool.ts';

/** Runs the command as PostgreSQL does: in the data directory, with what follows each percent sign replaced. */
function archive({ home, data }: Cluster, name: string): void {
  const words: Record<string, string> = { '%p': `pg_wal/${name}`, '%f': name, '%%': '%' };
  const command = spoolSettings({ home }).archive_command!.replace(/%./g, (found) => words[found]!);
  execFileSync('/bin/sh', ['-c', command], { cwd: data, stdio: 'pipe' });
}

test('a segment is copied whole and under its name, in a folder of any name, and dropped where there is no spool', async () => {
  const home = join(await testFolder(), `it's 100% "odd" $HOME`);
  const cluster: Cluster = { home, data: join(home, 'data'), owner: undefined, isApart: false };
  await mkdir(join(cluster.data, 'pg_wal'), { recursive: true });
  const name = '000000010000000000000001';
  await writeFile(join(cluster.data, 'pg_wal', name), 'all of it');
  archive(cluster, name);
  expect(await readdir(home)).toEqual(['data']);

  await openSpool(cluster);
  archive(cluster, name);
  archive(cluster, name);
  expect(await readdir(spoolOf(cluster))).toEqual([name]);
  expect(await readFile(join(spoolOf(cluster), name), 'utf8')).toBe('all of it');
  // A failure is one: the server keeps the segment and tries again.
  expect(() => archive(cluster, '000000010000000000000002')).toThrow();

  await removeSpool(cluster);
  expect(await readdir(home)).toEqual(['data']);
  await removeSpool(cluster);
});
