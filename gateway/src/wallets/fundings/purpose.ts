import { getIntegration } from '../../identity/integration.ts';
import type { Tx } from '../../kit/db/db.ts';
import { repayReceivables } from '../../ledger/receivable.ts';
import { unpaidEnds } from '../../payouts/lifecycle/state.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import type { Moved, Purpose } from '../../payouts/payout/purposes.ts';
import { endFundingUses } from '../allowance.ts';
import { type Notice, recordNotices } from '../notices.ts';
import type { UserId } from '../users.ts';

/**
 * Fundings of users that people approve first. Wallets of this ledger are credited as the last approval is given. Where
 * another system has them, `remote-backend.ts#reconcile` asks it for the credit then, and ends the payout by its answer.
 */
export function userFunding(isRemote: boolean): Purpose {
  return {
    cause: 'fund_user',
    right: 'fund users',
    ignoresStop: true,
    afterQueued: isRemote ? 'sending' : 'completed',
    async moved(tx, all, now) {
      if (isRemote) await askRemote(tx, inStatus(all, 'sending'), now);
      else await notifyUsers(tx, inStatus(all, 'completed'), now);
      await endAll(tx, all);
    },
  };
}

const inStatus = (moved: readonly Moved[], wanted: Payout['status']) =>
  moved.flatMap(({ payout }) => (payout.status === wanted ? [payout] : []));

/** What a funding that ended unpaid took of limits is given back. */
async function endAll(tx: Tx, moved: readonly Moved[]): Promise<void> {
  const idsOf = (all: readonly Payout[]) => all.map(({ id }) => id);
  const unpaid = moved.map(({ payout }) => payout).filter(({ status }) => unpaidEnds.includes(status));
  await endFundingUses(tx, idsOf(inStatus(moved, 'completed')), 'posted');
  await endFundingUses(tx, idsOf(unpaid), 'voided');
}

/** Users who owe something first pay it out of what they get. */
async function notifyUsers(tx: Tx, funded: readonly Payout[], now: Date): Promise<void> {
  await repayReceivables(
    tx,
    funded.map(({ holdId, mode, asset, outside: { owner } }) => {
      return { owner, mode, assets: [asset], causeId: holdId };
    }),
    now,
  );
  const notices: Notice[] = [];
  for (const { integrationId, mode, asset, units, outside, holdId: aboutId } of funded) {
    const other = integrationId && (await getIntegration(tx, integrationId)).name;
    notices.push({ userId: outside.owner as UserId, mode, kind: 'funded', asset, units, other, aboutId });
  }
  await recordNotices(tx, notices, now);
}

/** Notes for the reconciler what the other system is to be asked for; the id of the hold makes it one credit. */
async function askRemote(tx: Tx, approved: readonly Payout[], now: Date): Promise<void> {
  for (const { id, holdId, integrationId, mode, to, asset, units } of approved) {
    await tx.query(
      `INSERT INTO remote_fundings (id, payout_id, integration_id, mode, username, asset, units, response, state,
         next_try_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, '', 'ordered', $8, $8)`,
      [holdId, id, integrationId, mode, to, asset, units, now],
    );
  }
}
