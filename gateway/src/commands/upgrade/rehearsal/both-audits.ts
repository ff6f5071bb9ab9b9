import { type Database, transaction } from '../../../kit/db/db.ts';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { type AuditReport, auditLedger, beginAudit } from '../../../ledger/audit.ts';
import { type ChainReport, verifyChain } from '../../../operations/stamps/verify.ts';

/** What `florin audit` finds: the ledger recomputed, and the hash chain compared. */
export type BothAudits = { ledger: AuditReport; chain: ChainReport };

/** Audits a database as it is. */
export async function bothAudits(db: Database): Promise<BothAudits> {
  const ledger = await transaction(db, async (tx) => {
    await beginAudit(tx);
    return await auditLedger(tx);
  });
  return { ledger, chain: await verifyChain(db, { from: 1n, heads: [] }) };
}

// A table, a column or a function that this version expects and a database before its migrations lacks.
const lacks = ['42P01', '42703', '42883'];

/** The same before the migrations of this version; null where its statements need what only those make. */
export async function auditsBefore(db: Database): Promise<BothAudits | null> {
  try {
    return await bothAudits(db);
  } catch (error) {
    if (lacks.includes(codeOf(error))) return null;
    throw error;
  }
}

export function isClean({ ledger, chain }: BothAudits): boolean {
  return ledger.findings.length === 0 && chain.fault === null;
}
