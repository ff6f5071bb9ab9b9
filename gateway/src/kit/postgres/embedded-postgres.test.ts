import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import { connectEmbedded, type Embedded, EmbeddedInUse, startEmbedded } from './embedded-postgres.ts';
import { findCluster } from './postgres-cluster.ts';
import { isAlive, readPostmaster } from './postgres-postmaster.ts';

const dataDirs = new Set<string>();
const running = new Set<Embedded>();
const processes = new Set<ChildProcess>();
/** For tests to which it is all the same what was there before: to make a cluster takes most of a test's CPU. */

const shared = await makeDataDir();
afterAll(async () => {
  await removeDataDir(shared);
});
afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL');
  for (const embedded of running) await embedded.stop();
  for (const dataDir of dataDirs) await removeDataDir(dataDir);
  dataDirs.clear();
  running.clear();
  processes.clear();
});

async function newDataDir(): Promise<string> {
  const dataDir = await makeDataDir();
  dataDirs.add(dataDir);
  return dataDir;
}

async function start(dataDir: string, onExit: () => void = () => {}): Promise<Embedded> {
  const settings = { shared_buffers: '16MB', fsync: 'off' };
  const embedded = await startEmbedded({ dataDir, log: () => {}, onExit, settings });
  running.add(embedded);
  return embedded;
}

async function ask(embedded: Pick<Embedded, 'connection'>, ...statements: string[]): Promise<unknown> {
  const client = new pg.Client(embedded.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

async function startInOtherProcess(dataDir: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../../../test/databases/start-embedded.ts');
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  processes.add(child);
  await once(child.stdout!, 'data');
  return child;
}

/** Holds back all file work of this process while a program runs that it starts; returns what ends that. */
async function holdFilesBack(directory: string): Promise<() => Promise<void>> {
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const onProgram = (message: unknown): void => {
    const { process: program } = message as { process: ChildProcess };
    // To open a pipe occupies a thread until its other end is opened, and there are four threads.
    const readers = Array.from({ length: 8 }, () => open(pipe));
    program.once('exit', async () => {
      const writer = openSync(pipe, constants.O_RDWR);
      for (const reader of readers) await (await reader).close();
      closeSync(writer);
    });
  };
  subscribe('child_process', onProgram);
  return async () => {
    unsubscribe('child_process', onProgram);
    await rm(pipe);
  };
}

async function serverOf(dataDir: string): Promise<{ pid: number; isRunning: () => Promise<boolean> }> {
  const { data } = (await findCluster(dataDir))!;
  const postmaster = (await readPostmaster(data))!;
  return { pid: postmaster.pid, isRunning: () => isAlive(postmaster, data) };
}

describe('a cluster', () => {
  test('is made at the first start and kept by the next', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    expect(first.isNew).toBe(true);
    await ask(first, 'CREATE TABLE coins (name text)', `INSERT INTO coins VALUES ('florin')`);
    await first.stop();

    const second = await start(dataDir);
    expect(second.isNew).toBe(false);
    expect(await ask(second, 'SELECT name FROM coins')).toBe('florin');
  });

  test('holds UTF-8 in the order of its code points, with checksums, and listens on its socket alone', async () => {
    const embedded = await start(shared);
    expect(await ask(embedded, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(embedded, `SELECT 'Z' < 'a'`)).toBe(true);
    expect(await ask(embedded, `SELECT upper('ä')`)).toBe('Ä');
    expect(await ask(embedded, 'SHOW data_checksums')).toBe('on');
    expect(await ask(embedded, 'SHOW listen_addresses')).toBe('');
    expect(await ask(embedded, 'SHOW timezone')).toBe('UTC');
  });

  test('moves with its data directory', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await ask(first, 'CREATE TABLE coins AS SELECT 42 AS found');
    await first.stop();
    const moved = `${dataDir}-moved`;
    await rename(dataDir, moved);
    dataDirs.add(moved);

    expect(await ask(await start(moved), 'SELECT found FROM coins')).toBe(42);
  });

  test('is a new one for a data directory that was deleted and made anew', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await first.stop();
    const old = (await findCluster(dataDir))!;
    await rm(dataDir, { recursive: true });

    expect((await start(dataDir)).isNew).toBe(true);
    await rm(old.home, { recursive: true, force: true });
  });

  test('that is gone is not replaced by an empty one', async () => {
    const dataDir = await newDataDir();
    await writeFile(join(dataDir, 'postgres.path'), join(dataDir, 'elsewhere'));
    await expect(start(dataDir)).rejects.toThrow('which does not exist');
  });
});

describe('only one gateway', () => {
  test('holds a data directory: the second is refused', async () => {
    const first = await start(shared);
    await expect(start(shared)).rejects.toThrow(EmbeddedInUse);
    await expect(start(shared)).rejects.toThrow(shared);
    expect(await ask(first, 'SELECT 1')).toBe(1);
  });

  test('wins a new data directory when several start at the same moment', async () => {
    const dataDir = await newDataDir();
    const outcomes = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir)]);
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost.map((outcome) => outcome.reason.name)).toEqual(['EmbeddedInUse', 'EmbeddedInUse']);
    expect(won.map((outcome) => outcome.value.isNew)).toEqual([true]);
  });

  test('keeps holding it when the server restarts after a crash of one of its processes', async () => {
    const embedded = await start(shared);
    const crash = ask(embedded, `COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'`);
    await expect(crash).rejects.toThrow();

    await expect.poll(() => ask(embedded, 'SELECT 1').catch(() => undefined)).toBe(1);
    await expect(start(shared)).rejects.toThrow(EmbeddedInUse);
  });
});

describe('a server', () => {
  test('ends when its gateway is killed, and another gateway goes on with what was committed', async () => {
    const gateway = await startInOtherProcess(shared);
    await ask({ connection: (await connectEmbedded(shared))! }, 'CREATE TABLE coins AS SELECT 42 AS found');
    const server = await serverOf(shared);
    gateway.kill('SIGKILL');

    const next = await start(shared);
    expect(await ask(next, 'SELECT found FROM coins')).toBe(42);
    expect((await serverOf(shared)).pid).not.toBe(server.pid);
    await expect.poll(server.isRunning).toBe(false);
  });

  test('ends after a killed gateway when no other takes it over', async () => {
    const gateway = await startInOtherProcess(shared);
    const server = await serverOf(shared);
    gateway.kill('SIGKILL');
    await expect.poll(server.isRunning).toBe(false);
    expect(await connectEmbedded(shared)).toBeNull();
  });

  test('is gone when stop returns, though clients are still connected', async () => {
    const embedded = await start(shared);
    const client = new pg.Client(embedded.connection);
    client.on('error', () => {});
    await client.connect();
    const server = await serverOf(shared);
    await embedded.stop();
    expect(await server.isRunning()).toBe(false);
  });

  test('that dies is reported, and one that is stopped is not', async () => {
    const onExit = vi.fn();
    await (await start(shared, onExit)).stop();
    expect(onExit).not.toHaveBeenCalled();

    await start(shared, onExit);
    process.kill((await serverOf(shared)).pid, 'SIGQUIT');
    await expect.poll(() => onExit.mock.calls.length).toBe(1);
  });

  test('starts when the process number of the killed server before it belongs to another process now', async () => {
    await (await start(shared)).stop();
    const { home, data } = (await findCluster(shared))!;
    const stale = [process.pid, data, 1_700_000_000, 5432, join(home, 'socket'), '', '0 0', 'ready'];
    await writeFile(join(data, 'postmaster.pid'), stale.join('\n'));
    expect((await start(shared)).isNew).toBe(false);
  });

  test('that cannot start fails with its own log lines', async () => {
    const bad = startEmbedded({ dataDir: shared, log: () => {}, settings: { shared_buffers: 'much' } });
    await expect(bad).rejects.toThrow('invalid value for parameter "shared_buffers"');
  });

  test('that has ended before its gateway goes on fails with its own log lines', async () => {
    const letFilesGo = await holdFilesBack(shared);
    const bad = startEmbedded({ dataDir: shared, log: () => {}, settings: { shared_buffers: 'much' } });
    await expect(bad.finally(letFilesGo)).rejects.toThrow('invalid value for parameter "shared_buffers"');
  });
});
