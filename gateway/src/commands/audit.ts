import { transaction } from '../kit/db/db.ts';
import { type AuditReport, auditLedger, beginAudit } from '../ledger/audit.ts';
import { withDatabase } from './with-database.ts';

/**
 * Recomputes the whole ledger and prints what it found, beside a running gateway or without one. Returns the
 * exit code: 0 clean, 2 not clean.
 */
export async function audit(env: NodeJS.ProcessEnv, options: { json: boolean }): Promise<number> {
  const report = await withDatabase(env, (db) =>
    transaction(db, async (tx) => {
      await beginAudit(tx);
      return await auditLedger(tx);
    }),
  );
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : describeAudit(report));
  return report.findings.length === 0 ? 0 : 2;
}

/** The result of an audit, for people. */
export function describeAudit({ accounts, transfers, entries, findings }: AuditReport): string {
  const scope = `${accounts} accounts, ${transfers} transfers, ${entries} entries`;
  if (findings.length === 0) return `The ledger is clean: ${scope}.\n`;
  const lines = findings.map(({ check, subject, found }) => `  not true: ${check}\n    ${subject}: ${found}`);
  return `The ledger is NOT clean: ${scope}.\n${lines.join('\n')}\n`;
}
