import { mutations } from '../../../scripts/mutate/list/all.ts';
import type { Mutation } from '../../../scripts/mutate/mutation.ts';

/** A fault that is put into a copy of Florin, so that it is seen whether the model finds it. */
export type Planted = Pick<Mutation, 'name' | 'file' | 'find' | 'replace' | 'harm'>;

/** The same change as one of `npm run mutate`, under a name of its own. */
function mutated(name: string, mutation: string): Planted {
  const found = mutations.find((each) => each.name === mutation);
  if (!found) throw new Error(`No change is called ${mutation}`);
  return { ...found, name };
}

const at = (path: string): string => `gateway/src/${path}`;

export const planted: readonly Planted[] = [
  {
    name: 'event-not-written',
    file: at('payments/settlement/write.ts'),
    find: 'recordEvents(tx, hints, batch.events),',
    replace: 'recordEvents(tx, hints, batch.events.filter(({ sequence }) => sequence !== 3)),',
    harm: 'The third event of a payment is neither listed nor sent.',
  },
  {
    name: 'posting-doubled',
    file: at('payouts/arrivals/book.ts'),
    find: 'await postAll(tx, [{ ...shared, debit: outside, credit: account, cause: kind.cause }], now);',
    replace: `for (const id of [shared.id, crypto.randomUUID()])
      await postAll(tx, [{ ...shared, id, debit: outside, credit: account, cause: kind.cause }], now);`,
    harm: 'What comes to an address of a business is booked twice.',
  },
  {
    name: 'hold-leaked',
    file: at('payouts/lifecycle/state.ts'),
    find: "await endAll(tx, unpaid, 'voided', now);",
    replace:
      "await endAll(tx, unpaid.filter(({ purpose }) => purpose !== 'merchant_payout'), 'voided', now);",
    harm: 'What a cancelled payout had set aside stays set aside.',
  },
  mutated('reorg-ignored', 'payments/final-money'),
  {
    name: 'payout-sent-twice',
    file: at('rails/evm/payouts/work.ts'),
    find: 'data: payCall(token, await ordersById(reader, owners)),',
    replace: `data: payCall(
        token,
        (await ordersById(reader, owners)).flatMap((order) => [
          order,
          { ...order, vaultId: order.vaultId ^ (1n << 200n) },
        ]),
      ),`,
    harm: 'A payout leaves once more under an id that nobody gave.',
  },
  {
    name: 'answer-before-commit',
    file: at('kit/db/db.ts'),
    find: 'const command = await sending.commit();',
    replace: `const command = 'COMMIT' as string;
      const release = client.release.bind(client);
      client.release = () => {};
      const later = new Promise((go) => setTimeout(go, 400));
      void later.then(() => sending.commit()).then(() => release(), release);`,
    harm: 'What was answered is not there yet, and is lost where the gateway is killed.',
  },
  {
    name: 'retry-signed-otherwise',
    file: at('webhooks/worker/attempt.ts'),
    find: 'const body = Buffer.from(delivery.body);',
    replace: "const body = Buffer.from(delivery.body + ' '.repeat(delivery.attempts));",
    harm: 'A webhook that is sent again has other bytes than the first time.',
  },
  {
    name: 'key-forgotten',
    file: at('kit/http/idempotency.ts'),
    find: "if (claim !== undefined && claim !== 'new') return { body: claim.replay, replayed: true };",
    replace: '',
    harm: 'A call that is asked again is done again.',
  },
  {
    name: 'lease-never-given-back',
    file: at('kit/db/lease.ts'),
    find: 'WHERE l.holder = excluded.holder OR l.held_until <= now()',
    replace: "WHERE l.holder = excluded.holder OR l.held_until <= now() - interval '1 day'",
    harm: 'What a gateway that was killed had begun is never gone on with.',
  },
  {
    name: 'fee-rounded-down',
    file: at('payments/payment/amount.ts'),
    find: '(amount * BigInt(terms.bps) + 5_000n) / 10_000n',
    replace: '(amount * BigInt(terms.bps)) / 10_000n',
    harm: 'A fee is a millionth less than it should be.',
  },
  {
    name: 'overpayment-kept',
    file: at('payments/settlement/settle.ts'),
    find: "changes.post(id, legsOf([{ asset, to: 'overpayment', units }], owner, settlementCauses));",
    replace: "changes.post(id, legsOf([{ asset, to: 'business', units }], owner, settlementCauses));",
    harm: 'The business gets what a customer paid a second time.',
  },
  mutated('redirect-is-delivered', 'webhooks/success-is-2xx'),
  {
    name: 'release-booked-twice',
    file: at('treasury/direct/moves.ts'),
    find: 'await postAll(tx, [{ id, mode, asset, units: booking.units, debit, credit, cause, causeId: moveId }], now);',
    replace: `for (const each of [id, newId(now)]) {
    const { units } = booking;
    await postAll(tx, [{ id: each, mode, asset, units, debit, credit, cause, causeId: moveId }], now);
  }`,
    harm: 'What left for a merchant with direct settlement is booked twice.',
  },
  {
    name: 'split-not-as-agreed',
    file: at('rails/evm/addresses/direct-places.ts'),
    find: 'const { integrationId, basisPoints } = own;',
    replace: 'const { integrationId, basisPoints: agreed } = own;\n  const basisPoints = agreed + 1;',
    harm: 'The host gets a basis point more of direct payments than was agreed.',
  },
  {
    name: 'direct-money-credited',
    file: at('payments/settlement/transfer.ts'),
    find: 'const is_direct = seen.direct !== undefined;',
    replace: 'const is_direct = false;',
    harm: 'A business is credited with what its own wallet gets.',
  },
];
