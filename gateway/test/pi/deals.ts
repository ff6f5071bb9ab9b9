import { decimalOf } from '../../src/money/money.ts';
import { missingUnits, transfersOf } from '../../src/payments/settlement/received.ts';
import { Refusal } from '../pi-platform/refusal.ts';
import type { Game, Process } from './game.ts';
import type { Deal, PlatformFault } from './steps.ts';

// Payments inside the Pi Browser: what customers and their pages do.

/** What the Pi app or the page does with a payment of a customer; nothing where the customer has none. */
export async function playDeal(game: Game, process: Process, step: Deal): Promise<void> {
  if (step.what === 'begin') return await begin(game, step);
  const deal = game.deals[step.deal % game.deals.length];
  if (!deal) return;
  const { identifier, user } = deal;
  const { userSide } = game.platform;
  const asked = { paymentId: deal.paid.payment.id, reference: deal.paid.payment.reference };
  switch (step.what) {
    case 'approve':
      return void (await process.browser.approve(asked, identifier));
    case 'pay':
      return await orRefused(() => userSide.submit(user, identifier));
    case 'complete': {
      const txid = userSide.get(user, identifier).transaction?.txid;
      if (txid) await process.browser.complete(asked, identifier, txid);
      return;
    }
    case 'cancel':
      await orRefused(async () => userSide.cancel(user, identifier));
      return void (await process.browser.cancel(asked, identifier));
    case 'incomplete':
      return void (await process.browser.incomplete(identifier));
    case 'give up':
      return await orRefused(async () => userSide.fail(user, identifier));
  }
}

/** The page asks the customer's wallet for what is missing, or for something else. */
async function begin(game: Game, { payment: index, user: at, isRight }: Deal): Promise<void> {
  const paid = game.paid[index % game.paid.length]!;
  const user = game.users[at % game.users.length]!;
  const { payment } = paid;
  const { shop, world } = game;
  const fine = missingUnits(shop.assets, payment, await transfersOf(world.db, payment.id));
  // Assets are added up with more decimals than PI has.
  const missing = fine / 10n ** 11n;
  const units = isRight && missing > 0n ? missing : 12_345_678n;
  await orRefused(async () => {
    const { identifier } = game.platform.userSide.create(user, {
      amount: JSON.parse(decimalOf(units, 7)),
      memo: paid.memo,
      metadata: { reference: payment.reference },
    });
    game.deals.push({ identifier, user, paid });
  });
}

/** What the wallet or the platform says no to, as it should, changes nothing. */
async function orRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const faultOf = {
  refuses: { on: /^POST .*\/(?:approve|complete)$/, status: 400 },
  broken: { status: 502 },
  lost: { afterEffect: true, cut: true },
} as const;

export function breakPlatform(game: Game, fault: PlatformFault, times: number): void {
  game.platform.faults.add({ ...faultOf[fault], times });
}
