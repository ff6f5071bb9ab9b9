import { type Tx, transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { gatewayActor } from '../audit/audit-log.ts';
import { mailOperators } from './mails.ts';
import { carryOut, endUndone, operatorsOf, type Proposals, proposalOf, recordStep } from './proposals.ts';
import { findProposal, type Proposal } from './read.ts';

const mostAtOnce = 100;

/** Does the acts whose day has passed, and ends those that nobody confirmed. Any number of processes may call it. */
export async function runDueProposals(deps: Proposals): Promise<void> {
  const { rows } = await deps.db.query<{ id: string }>(
    `SELECT id FROM proposals WHERE state = 'open' AND (due_at <= $1 OR expires_at <= $1) ORDER BY id LIMIT $2`,
    [deps.now(), mostAtOnce],
  );
  for (const { id } of rows) {
    try {
      await transaction(deps.db, (tx) => runOne(tx, deps, id));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The act was rolled back. The proposal ends, so that the act is not tried for ever.
      await transaction(deps.db, async (tx) => {
        const proposal = await lockFree(tx, id);
        const failed = { state: 'failed', endedBy: null, why: error.message, actor: gatewayActor } as const;
        if (proposal) await endUndone(tx, deps, proposal, failed);
      });
    }
  }
}

async function runOne(tx: Tx, deps: Proposals, id: string): Promise<void> {
  const proposal = await lockFree(tx, id);
  if (!proposal) return;
  const now = deps.now();
  if (proposal.expires_at <= now) {
    await endUndone(tx, deps, proposal, { state: 'expired', endedBy: null, why: null, actor: gatewayActor });
    return;
  }
  if (proposal.due_at === null || proposal.due_at > now) return;
  const { count } = await operatorsOf(tx);
  if (count < 2) {
    await carryOut(tx, deps, proposal, { actor: gatewayActor, endedBy: null });
    return;
  }
  // There is a second operator now, who has not been asked yet.
  await tx.query('UPDATE proposals SET due_at = NULL WHERE id = $1', [id]);
  await recordStep(tx, deps, proposal, { actor: gatewayActor, action: 'left an act to another operator' });
  await mailOperators(tx, deps, await proposalOf(tx, id), { step: 'waits' });
}

/** Locks an open proposal; null when it is not open, or another process works on it. */
async function lockFree(tx: Tx, id: string): Promise<Proposal | null> {
  const { rowCount } = await tx.query(
    `SELECT FROM proposals WHERE id = $1 AND state = 'open' FOR UPDATE SKIP LOCKED`,
    [id],
  );
  return rowCount === 1 ? await findProposal(tx, id) : null;
}
