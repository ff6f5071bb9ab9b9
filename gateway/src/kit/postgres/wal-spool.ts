import { chown, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../ids.ts';
import type { Cluster } from './postgres-cluster.ts';
import type { Settings } from './postgres-server.ts';

/** Where a server puts copies of its finished segments of WAL. Without this folder it archives nothing. */
export function spoolOf({ home }: Pick<Cluster, 'home'>): string {
  return join(home, 'spool');
}

/**
 * The settings of a server that copies each finished segment into its spool. Where the spool is missing the command
 * succeeds and copies nothing: a server whose command fails keeps all segments until its disk is full.
 */
export function spoolSettings(cluster: Pick<Cluster, 'home'>): Settings {
  const spool = quoted(spoolOf(cluster));
  const draft = `${spool}/%f.part`;
  return {
    archive_mode: 'on',
    archive_command: `[ -d ${spool} ] || exit 0; dd if=%p of=${draft} bs=1048576 conv=fsync 2>/dev/null && mv ${draft} ${spool}/%f`,
  };
}

/** A path for the shell, in which PostgreSQL replaces what follows a percent sign. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
}

/** Makes an empty spool: from now on the server archives. */
export async function openSpool(cluster: Cluster): Promise<void> {
  const spool = spoolOf(cluster);
  await mkdir(spool, { recursive: true, mode: 0o700 });
  if (cluster.owner) await chown(spool, cluster.owner.uid, cluster.owner.gid);
}

/**
 * Removes the spool: the server archives nothing any more. It is moved away first, so that a command that runs at this
 * moment cannot put a segment into the next spool without those before it.
 */
export async function removeSpool(cluster: Pick<Cluster, 'home'>): Promise<void> {
  const spool = spoolOf(cluster);
  if (!(await stat(spool).catch(() => null))) return;
  const moved = `${spool}.${newId()}`;
  await rename(spool, moved);
  await rm(moved, { recursive: true, force: true });
}
