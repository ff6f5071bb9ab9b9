import { unitsOf } from '../pi-platform/payment.ts';
import type { Game } from './game.ts';

// What the network's own ledger says of the account, by the effects of each operation, and whose it is by what was
// meant when it was made.

/** What one operation did to the account: it got the units, or lost them where they are negative. */
export type Movement = { key: string; hash: string; memo: string | null; units: bigint };

/** Everything that moved the account's PI since reading began, in its order. */
export function movementsOf({ world, custody, begin }: Game): Movement[] {
  const account = custody.publicKey();
  const operations = world.network.core.history.of(account)?.operations ?? [];
  return operations
    .filter(({ token, transaction }) => token > begin.token && transaction.successful)
    .map(({ token, transaction, effects }) => {
      const { hash, transaction: sent } = transaction.envelope;
      const own = effects.filter(({ party }) => party.account === account);
      const { value } = sent.memo;
      return {
        ...{
          hash,
          key: `${hash}:${token & 0xfffn}`,
          memo: value === null ? null : Buffer.from(value).toString(),
        },
        units: sum(own.map(({ type, fields }) => ({ units: effectOn(type, fields) }))),
      };
    })
    .filter(({ units }) => units !== 0n);
}

function effectOn(type: string, fields: Record<string, unknown>): bigint {
  const units = (decimal: unknown): bigint => BigInt(`${decimal}`.replace('.', ''));
  if (type === 'account_created') return units(fields.starting_balance);
  if (fields.asset_type !== 'native') return 0n;
  if (type === 'account_credited') return units(fields.amount);
  return type === 'account_debited' ? -units(fields.amount) : 0n;
}

export const sum = (all: readonly { units: bigint }[]): bigint =>
  all.reduce((total, each) => total + each.units, 0n);

/**
 * The payment that money named when it came, null: none. What came for a payment in the Pi Browser is its payment's
 * where the platform has completed it, by that transaction, and it is as much as was asked for.
 */
export function ownerOf(game: Game, { hash, units }: Movement): string | null {
  if (units < 0n) return null;
  for (const deal of game.deals) {
    const record = game.platform.payment(deal.identifier)!;
    if (record.transaction?.txid !== hash) continue;
    return record.status.developer_completed && unitsOf(record) === units ? deal.paid.payment.id : null;
  }
  return game.meant.get(hash) ?? null;
}

export const nobodys = (game: Game, movements: readonly Movement[]): Movement[] =>
  movements.filter((each) => each.units > 0n && ownerOf(game, each) === null);

/** Whether an order of an operator is what it carries out. */
export const isOwn = ({ orders }: Game, { memo, units }: Movement): boolean =>
  units < 0n && orders.some((order) => order.memo === memo);

/** What was sent for a payment, or for unmatched deposits where it is null, with units that are positive. */
export function sentFor(
  game: Game,
  movements: readonly Movement[],
  paymentId: string | null,
): { units: bigint }[] {
  const memos = game.orders.filter((each) => each.paymentId === paymentId).map(({ memo }) => memo);
  return movements
    .filter((each) => isOwn(game, each) && memos.includes(each.memo!))
    .map(({ units }) => ({ units: -units }));
}
