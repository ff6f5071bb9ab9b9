import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCluster } from '../../src/kit/postgres/postgres-cluster.ts';

/** A new data directory below the system's temporary directory. */
export async function makeDataDir(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'florin-test-'));
}

/** Removes a data directory whose server was stopped, and its cluster, which lies elsewhere when root made it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const cluster = await findCluster(dataDir).catch(() => undefined);
  if (cluster) await rm(cluster.home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
