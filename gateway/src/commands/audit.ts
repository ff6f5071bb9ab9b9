import { readFile } from 'node:fs/promises';
import { transaction } from '../kit/db/db.ts';
import { type AuditReport, auditLedger, beginAudit } from '../ledger/audit.ts';
import { type ChainReport, type KnownHead, verifyChain } from '../operations/stamps/verify.ts';
import { withDatabase } from './with-database.ts';

export type AuditOptions = {
  json: boolean;
  /** The stamp to begin with. */
  from?: string;
  /** A file with published heads. */
  heads?: string;
};

/** Recomputes the whole ledger, and the hash chain from the stamp of that number, beside a running gateway or without one. */
export async function recompute(
  env: NodeJS.ProcessEnv,
  { from, heads }: { from: bigint; heads: readonly KnownHead[] } = { from: 1n, heads: [] },
): Promise<{ report: AuditReport; chain: ChainReport }> {
  return await withDatabase(env, async (db) => ({
    report: await transaction(db, async (tx) => {
      await beginAudit(tx);
      return await auditLedger(tx);
    }),
    chain: await verifyChain(db, { from, heads }),
  }));
}

/**
 * Recomputes the whole ledger and the hash chain and prints what it found, beside a running gateway or without one.
 * Returns the exit code: 0 clean, 2 not clean.
 */
export async function audit(
  env: NodeJS.ProcessEnv,
  { json, from = '1', heads }: AuditOptions,
): Promise<number> {
  if (!/^\d{1,18}$/.test(from)) throw new Error('--from must be the number of a stamp');
  const known = heads === undefined ? [] : readHeads(await readFile(heads, 'utf8'));
  const { report, chain } = await recompute(env, { from: BigInt(from), heads: known });
  const text = json
    ? `${JSON.stringify({ ...report, chain }, bigintAsText)}\n`
    : describeAudit(report) + describeChain(chain);
  process.stdout.write(text);
  return report.findings.length === 0 && chain.fault === null ? 0 : 2;
}

/** Lines such as `12:9f86d0…`, each with anything after a space. */
function readHeads(text: string): KnownHead[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, number, hash] = /^(\d{1,18}):([0-9a-f]{12,64})(?:\s|$)/.exec(line) ?? [];
    if (number === undefined || hash === undefined) throw new Error(`This line names no stamp: ${line}`);
    return { number: BigInt(number), hash };
  });
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** The result of an audit, for people. */
export function describeAudit({ accounts, transfers, entries, findings }: AuditReport): string {
  const scope = `${accounts} accounts, ${transfers} transfers, ${entries} entries`;
  if (findings.length === 0) return `The ledger is clean: ${scope}.\n`;
  const lines = findings.map(({ check, subject, found }) => `  not true: ${check}\n    ${subject}: ${found}`);
  return `The ledger is NOT clean: ${scope}.\n${lines.join('\n')}\n`;
}

function describeChain({ head, stamps, rows, faults, faultCount }: ChainReport): string {
  const last = head
    ? `The newest stamp is ${head.number}:${head.hash}, of ${head.made_at.toISOString()}.\n`
    : '';
  const scope = `${stamps} stamps, ${rows} rows`;
  if (faultCount === 0) return `The hash chain is whole: ${scope}.\n${last}`;
  const lines = faults.map(
    ({ stamp, row, found }) => `  stamp ${stamp}: ${found}${row === null ? '' : ` (${row})`}\n`,
  );
  const more = faultCount > faults.length ? `  and ${faultCount - faults.length} more\n` : '';
  return `The hash chain is NOT whole: ${scope}.\n${lines.join('')}${more}${last}`;
}
