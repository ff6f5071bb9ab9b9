import type { Logger } from 'pino';
import type { Mode } from '../identity/integration.ts';
import { after } from '../kit/clock.ts';
import { type Tx, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import {
  type Answer,
  claimKeys,
  completeKeys,
  findReplay,
  type IdempotencyKey,
  releaseKeys,
} from '../kit/http/idempotency.ts';
import { newId } from '../kit/ids.ts';
import { endHold, placeHold } from '../ledger/holds.ts';
import { type AccountRef, accountsOf, lockAccounts, type Transfer } from '../ledger/ledger.ts';
import { repayReceivable } from '../ledger/receivable.ts';
import { endFundingUses, holdFundingUses, takeAllowances } from './allowance.ts';
import { walletErrors } from './errors.ts';
import {
  type Credited,
  callSeconds,
  creditOf,
  creditOrdered,
  endOrdered,
  type OrderedDeps,
  type OrderedRow,
} from './remote-ordered.ts';
import { type RemoteWallets, walletsOutside } from './remote-wallets.ts';
import type { Funding, WalletBackend } from './wallet-backend.ts';

export type RemoteBackendDeps = OrderedDeps & {
  log: Logger;
  remote: Pick<RemoteWallets, 'hasUser' | 'cancel'>;
};

const twinWaitMs = 5_000;
const twinPollMs = 100;
const longestPauseSeconds = 300;
const fundingsAtOnce = 20;

type FundingRow = OrderedRow & {
  idempotency_scope: string | null;
  idempotency_key: string | null;
  /** The body that answers it, and every later request with its key. */
  response: string;
  record?: Funding['record'] | undefined;
};

/**
 * Wallets in another system. The hold and the Idempotency-Key are committed before the call, no transaction
 * is open during it, and only a certain answer ends the hold (contract.md#payments): applied posts it; refused or
 * never sent voids it; anything else leaves it to `reconcile`, which cancels at the remote.
 */
export function createRemoteBackend(deps: RemoteBackendDeps): WalletBackend {
  return {
    fund: (funding) => fund(deps, funding),
    hasUser: (username) => deps.remote.hasUser(username),
    async accountOf(username) {
      if (!(await deps.remote.hasUser(username))) throw refuse(walletErrors.user_not_found);
      return walletsOutside;
    },
    reconcile: () => reconcile(deps),
  };
}

async function fund(deps: RemoteBackendDeps, funding: Funding): Promise<Answer> {
  if (!(await deps.remote.hasUser(funding.username))) throw refuse(walletErrors.user_not_found);
  const begun = await begin(deps, funding);
  if (begun.replay !== undefined) return { body: begun.replay, replayed: true };

  const outcome = await deps.remote.credit(creditOf(deps.assets, begun.id, funding));
  const { key } = funding;
  const row: FundingRow = {
    id: begun.id,
    tries: 0,
    idempotency_scope: key?.scope ?? null,
    idempotency_key: key?.key ?? null,
    payout_id: null,
    response: funding.response,
    record: funding.record,
  };
  switch (outcome) {
    case 'applied':
      if ((await end(deps, row, 'posted')) === 'posted') return { body: funding.response, replayed: false };
      // The reconciler has cancelled it at the other system meanwhile.
      throw refuse(walletErrors.backend_unreachable);
    case 'user_not_found':
      await end(deps, row, 'voided');
      throw refuse(walletErrors.user_not_found);
    case 'not_sent':
      await end(deps, row, 'voided');
      throw refuse(walletErrors.backend_unreachable);
    case 'unknown':
      throw refuse(walletErrors.backend_unreachable);
  }
}

type Begun = { id: string; replay?: undefined } | { id?: undefined; replay: string };

/** Commits hold, key and funding; joins the request that has the key already. */
async function begin(deps: RemoteBackendDeps, funding: Funding): Promise<Begun> {
  const giveUpAt = performance.now() + twinWaitMs;
  for (;;) {
    const begun = await transaction(deps.db, (tx) => tryBegin(tx, deps.now(), funding));
    if (begun) return begun;
    // The other request with this key is under way, or waits for the reconciler.
    if (performance.now() > giveUpAt) throw refuse(kitErrors.idempotency_in_use);
    await new Promise((resolve) => setTimeout(resolve, twinPollMs));
  }
}

async function tryBegin(tx: Tx, now: Date, funding: Funding): Promise<Begun | null> {
  const { key } = funding;
  if (key) {
    const stored = await findReplay(tx, key);
    if (stored) return stored.replay === null ? await joinPending(tx, key, now) : { replay: stored.replay };
    const [claim] = await claimKeys(tx, [{ key, response: null }], now);
    if (claim !== 'new') return null;
  }
  const id = newId(now);
  const { mode, asset, units, username, integrationId } = funding;
  const sides = { debit: { kind: 'business', owner: integrationId }, credit: walletsOutside } as const;
  const transfer: Transfer = { id, mode, asset, units, ...sides, cause: 'fund_user', causeId: null };
  if (funding.uses.length > 0) {
    await lockAccounts(tx, accountsOf(transfer));
    const [refusal] = await takeAllowances(tx, [funding.uses], now);
    if (refusal) throw refusal;
  }
  await placeHold(tx, transfer, now);
  await holdFundingUses(tx, id, funding.uses, now);
  await tx.query(
    `INSERT INTO remote_fundings (id, integration_id, mode, username, asset, units, idempotency_scope,
       idempotency_key, response, next_try_at, created_at, key_id, address)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      integrationId,
      mode,
      username,
      asset,
      units,
      key?.scope ?? null,
      key?.key ?? null,
      funding.response,
      after(now, callSeconds),
      now,
      funding.caller?.keyId ?? null,
      funding.caller?.address ?? null,
    ],
  );
  return { id };
}

/** A retry has no hold of its own: while the outcome of the request before it is unknown, so is its own. */
async function joinPending(tx: Tx, key: IdempotencyKey, now: Date): Promise<null> {
  const { rows } = await tx.query<{ tries: number; next_try_at: Date }>(
    `SELECT tries, next_try_at FROM remote_fundings
     WHERE idempotency_scope = $1 AND idempotency_key = $2 AND state = 'pending'`,
    [key.scope, key.key],
  );
  const pending = rows[0];
  if (pending && (pending.tries > 0 || pending.next_try_at <= now)) {
    throw refuse(walletErrors.backend_unreachable);
  }
  return null;
}

/** Ends a funding with its hold and key. Returns how it ended: one that had ended before stays as it was. */
async function end(
  deps: RemoteBackendDeps,
  row: FundingRow,
  how: 'posted' | 'voided',
  irreversible = false,
): Promise<'posted' | 'voided'> {
  if (row.payout_id !== null) return await endOrdered(deps, row, how, irreversible);
  return await transaction(deps.db, async (tx) => {
    const now = deps.now();
    await lockBusiness(tx, row.id);
    if (!(await endHold(tx, row.id, how, now))) {
      const ended = await tx.query<{ state: 'posted' | 'voided' }>(
        'SELECT state FROM remote_fundings WHERE id = $1',
        [row.id],
      );
      return oneRow(ended, 'state of a funding').state;
    }
    await endFundingUses(tx, [row.id], how);
    const ended = await tx.query<{ owner: string; mode: Mode; asset: string }>(
      `UPDATE remote_fundings SET state = $2, ended_at = $3, irreversible = $4 WHERE id = $1
       RETURNING integration_id AS owner, mode, asset`,
      [row.id, how, now, irreversible],
    );
    const { asset, ...business } = oneRow(ended, 'end a funding');
    if (how === 'voided') await repayReceivable(tx, { ...business, assets: [asset], causeId: null }, now);
    if (row.idempotency_scope !== null && row.idempotency_key !== null) {
      const key = { scope: row.idempotency_scope, key: row.idempotency_key };
      if (how === 'posted') await completeKeys(tx, [{ ...key, body: row.response }]);
      else await releaseKeys(tx, [key]);
    }
    if (how === 'posted') await row.record?.(tx);
    return how;
  });
}

/** Locks the accounts of a funding's business, since a released hold first pays what the business owes. */
async function lockBusiness(tx: Tx, id: string): Promise<void> {
  const { rows } = await tx.query<Omit<AccountRef, 'kind'>>(
    'SELECT integration_id AS owner, mode, asset FROM remote_fundings WHERE id = $1',
    [id],
  );
  const kinds = ['business', 'receivable'] as const;
  await lockAccounts(
    tx,
    rows.flatMap((account) => kinds.map((kind) => ({ ...account, kind }))),
  );
}

async function reconcile(deps: RemoteBackendDeps): Promise<number> {
  const rows = await takePending(deps);
  for (const row of rows) {
    if (await creditOrdered(deps, row)) continue;
    const outcome = await deps.remote.cancel(row.id);
    if (outcome === 'cancelled') await end(deps, row, 'voided');
    if (outcome === 'irreversible') {
      await end(deps, row, 'posted', true);
      deps.log.error({ funding: row.id }, 'a wallet credit could not be taken back at the backend: booked');
    }
  }
  return rows.length;
}

/** Leases fundings whose time has come; each next try is later than the last. */
async function takePending({ db, now }: RemoteBackendDeps): Promise<(FundingRow & Credited)[]> {
  return await transaction(db, async (tx) => {
    const { rows } = await tx.query<FundingRow & Credited>(
      `UPDATE remote_fundings SET tries = tries + 1,
         next_try_at = $1::timestamptz + least($2, 5 * 2 ^ least(tries, 10)) * interval '1 second'
       WHERE id IN (
         SELECT id FROM remote_fundings WHERE state IN ('pending', 'ordered') AND next_try_at <= $1
         ORDER BY next_try_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, tries, idempotency_scope, idempotency_key, payout_id, response, username, asset, units, mode`,
      [now(), longestPauseSeconds, fundingsAtOnce],
    );
    return rows;
  });
}
