import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Reader } from '../../../kit/db/db.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const oldestNode = 26;
const fewFiles = 4_096;
const mebibyte = 2 ** 20;
const littleMemory = 400 * mebibyte;

/** The version of Node, and what the system lets a gateway on this machine use; without one, this process. */
export const checkProcess: Check = async ({ db, isMigrated }) => {
  const gateway = db && (await isMigrated()) ? await gatewayHere(db) : null;
  const limits = (gateway === null ? null : await limitsOf(gateway)) ?? (await limitsOf('self'));
  const files = limits === null ? null : openFilesIn(limits);
  const memoryBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return judge({ node: process.versions.node, files, memoryBytes });
};

/** What a process has. `files`: null where it is not known, or without a limit. */
export function judge(has: { node: string; files: number | null; memoryBytes: number }): Finding[] {
  const { node, files, memoryBytes } = has;
  const findings: Finding[] = [];
  if (Number.parseInt(node, 10) < oldestNode) findings.push(found('process', 'old_node', `Node ${node}`));
  if (files !== null && files < fewFiles) findings.push(found('process', 'few_files', `${files}`));
  if (memoryBytes < littleMemory)
    findings.push(found('process', 'little_memory', `${Math.round(memoryBytes / mebibyte)} MiB`));
  return findings.length > 0 ? findings : [found('process', 'ok', `Node ${node}`)];
}

/** The id of a process of a gateway that runs on this machine; null: none does. */
async function gatewayHere(reader: Reader): Promise<number | null> {
  const { rows } = await reader.query<{ pid: number }>(
    `SELECT pid FROM gateway_processes WHERE host = $1 AND seen_at > now() - interval '15 seconds'
     ORDER BY seen_at DESC LIMIT 1`,
    [hostname()],
  );
  return rows[0]?.pid ?? null;
}

/** Null where the system does not say it, or not to this user. */
async function limitsOf(id: number | 'self'): Promise<string | null> {
  return await readFile(`/proc/${id}/limits`, 'utf8').catch(() => null);
}

function openFilesIn(limits: string): number | null {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? null : Number.parseInt(soft, 10);
}
