import { after, type Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { type Destination, type Opening, type Rail, unreadableSeconds } from '../rail.ts';
import { type PiConfig, piAsset, piRail } from './horizon/network.ts';
import { readTransaction } from './look-up.ts';
import { memoOfOwner, openMemos, openReusableMemo, paymentOfMemo } from './memos/memos.ts';
import { piReadThrough } from './read-through.ts';

export type PiRailDeps = {
  pi: PiConfig;
  assets: Assets;
  now: Clock;
};

/** The rail of the Pi network: one account for everything, and a memo for each payment. */
export function createPiRail({ pi, assets, now }: PiRailDeps): Rail {
  const { platform, walletUrl } = pi;
  const { currency: ours } = assets.get(piAsset);

  async function destinations(reader: Reader, paymentId: string): Promise<Destination[]> {
    const { isShown, isUnreadable } = await accountState(reader, pi, now());
    if (!isShown) return [];
    const memo = await memoOfOwner(reader, paymentId);
    if (memo === null) return [];
    return [
      {
        rail: piRail,
        asset: piAsset,
        network: assets.get(piAsset).network,
        address: pi.account,
        memo,
        ...(isUnreadable ? { isUnreadable } : {}),
        pi: { sdkUrl: platform?.sdkUrl ?? null, sandbox: platform?.sandbox ?? false, walletUrl },
      },
    ];
  }

  return {
    async openReusable(tx, owner, asset) {
      if (asset === piAsset) await openReusableMemo(tx, owner, now());
      return asset === piAsset;
    },
    reusable: async (reader, { id }) =>
      // The platform of the Pi Browser pays payments only.
      (await destinations(reader, id)).map(({ pi: _, ...destination }) => destination),
    async open(tx, payments) {
      const own = payments.filter(({ currency }) => currency === ours);
      const opened = await openedOf(tx, own);
      const ids = own.map(({ id }) => id).filter((id) => !opened.has(id));
      if (ids.length > 0) await openMemos(tx, ids, now());
    },
    async payable(reader) {
      const { isShown, isUnreadable } = await accountState(reader, pi, now());
      const { network } = assets.get(piAsset);
      return isShown ? [{ asset: piAsset, network, ...(isUnreadable ? { isUnreadable } : {}) }] : [];
    },
    destinations,
    async readThrough(reader, paymentId, rails) {
      const through = rails.includes(piRail) ? await piReadThrough(reader, pi, paymentId) : null;
      return through ? new Map([[piRail, through]]) : new Map();
    },
    readTransaction,
    paymentOfAddress: (reader, text) => paymentOfMemo(reader, pi.account, text),
  };
}

/** Which of these payments have their memo from an earlier choice of their customers. */
async function openedOf(tx: Tx, payments: readonly Opening[]): Promise<Set<string>> {
  const later = payments.filter(({ isLater }) => isLater).map(({ id }) => id);
  const opened = new Set<string>();
  for (const id of later) if ((await memoOfOwner(tx, id)) !== null) opened.add(id);
  return opened;
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
