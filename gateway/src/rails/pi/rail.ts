import { after, type Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import type { Destination, Offer, Rail } from '../rail.ts';
import { unreadableSeconds } from '../silence.ts';
import { type PiConfig, piCodeOf } from './horizon/network.ts';
import { readTransaction } from './look-up.ts';
import { memoOfOwner, openMemoOf, openMemos, paymentOfMemo } from './memos/memos.ts';
import { piReadThrough } from './read-through.ts';

export type PiRailDeps = {
  pi: PiConfig;
  assets: Assets;
  now: Clock;
};

/** The rail of a Pi network: one account for everything, and a memo for each payment. */
export function createPiRail({ pi, assets, now }: PiRailDeps): Rail {
  const { platform, walletUrl } = pi;
  const code = piCodeOf(pi);
  const { currency: ours } = assets.get(code);

  async function offers(reader: Reader): Promise<Offer[]> {
    const { isShown, isUnreadable } = await accountState(reader, pi, now());
    if (!isShown) return [];
    return [
      {
        rail: code,
        asset: code,
        network: assets.get(code).network,
        ...(isUnreadable ? { isUnreadable } : {}),
        ...(pi.isTest ? { isTest: true } : {}),
        pi: { sdkUrl: platform?.sdkUrl ?? null, sandbox: platform?.sandbox ?? false, walletUrl },
      },
    ];
  }

  async function destinations(reader: Reader, paymentId: string): Promise<Destination[]> {
    const shown = await offers(reader);
    const memo = shown.length > 0 ? await memoOfOwner(reader, paymentId, pi) : null;
    return memo === null ? [] : shown.map((offer) => ({ ...offer, address: pi.account, memo }));
  }

  return {
    async openFor(tx, owner, asset) {
      if (asset === code) await openMemoOf(tx, owner, pi, now());
      return asset === code;
    },
    reusable: async (reader, { id }) =>
      // The platform of the Pi Browser pays payments only.
      (await destinations(reader, id)).map(({ pi: _, ...destination }) => destination),
    offers: async (reader, { mode }) =>
      (mode === 'test') === (pi.isTest ?? false) ? await offers(reader) : [],
    async open(tx, payments) {
      if (pi.isTest) return;
      const ids = payments.filter(({ currency }) => currency === ours).map(({ id }) => id);
      if (ids.length > 0) await openMemos(tx, ids, now());
    },
    destinations,
    async readThrough(reader, paymentId, rails) {
      const through = rails.includes(code) ? await piReadThrough(reader, pi, paymentId) : null;
      return through ? new Map([[code, through]]) : new Map();
    },
    readTransaction,
    paymentOfAddress: (reader, text) => paymentOfMemo(reader, pi.account, text),
  };
}

/** Whether the account exists and its reading has begun, so that it may be shown; and whether it could not be read for minutes. */
async function accountState(
  reader: Reader,
  { passphrase, account }: PiConfig,
  now: Date,
): Promise<{ isShown: boolean; isUnreadable: boolean }> {
  const { rows } = await reader.query<{ isShown: boolean; isUnreadable: boolean }>(
    `SELECT cursor IS NOT NULL AND is_open AS "isShown",
       fault_code IS NOT NULL AND coalesce(read_at, '-infinity') <= $3 AS "isUnreadable"
     FROM pi_accounts WHERE passphrase = $1 AND account = $2`,
    [passphrase, account, after(now, -unreadableSeconds)],
  );
  return rows[0] ?? { isShown: false, isUnreadable: false };
}
