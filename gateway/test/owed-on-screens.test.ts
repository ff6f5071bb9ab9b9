import { expect, test } from 'vitest';
import type { Payment } from '../src/payments/payment/payment.ts';
import { orderRefund } from '../src/payments/refunds/order.ts';
import { disputePayment } from '../src/payments/settlement/act.ts';
import { openConsole } from './support/console.ts';
import { operatorDesk } from './support/operator.ts';
import { openShop, report, statusOf, write } from './support/payment-fixtures.ts';
import { startApp } from './support/running.ts';
import { depositAt, reportUnmatched } from './support/unmatched-fixtures.ts';

// Whatever is owed stands on a screen of the operator's: what these list comes to what the ledger owes, to the unit.

const usdc = 'usdc-erc20';
const million = 1_000_000n;

const app = await startApp({ seed: { name: 'Nib & Folio' } });
const desk = await operatorDesk(await openConsole(app));
const shop = await openShop(app.db, { approved: true }, { mode: 'live' });
let keys = 0;

/** A live payment of 10 USDC for which so many units come. */
async function paid(units: bigint, asset = usdc): Promise<Payment> {
  const payment = await shop.create({ amount: 10 });
  return await report(shop, payment, { key: `owed ${++keys}`, units, asset, state: 'final' });
}
const merchant = { accountId: null, name: 'a key', limits: null };
const leftToCustomer = (payment: Payment, units: bigint) =>
  write(shop, (tx) =>
    orderRefund(tx, shop.deps, payment.id, {
      wanted: { asset: usdc, units, destination: null, reason: null },
      requester: merchant,
      ownTime: shop.clock.now(),
    }),
  );

type Line = { asset: string; amount: string };
/** The sum of what one page lists in an asset, as the decimal that pages show. */
const sumOf = (lines: readonly Line[], asset: string): number =>
  lines.filter((each) => each.asset === asset).reduce((sum, { amount }) => sum + Number(amount), 0);
const linesAt = async (path: string) => (await desk.get(path)).items as unknown as Line[];

test('what is owed to customers and what waits in suspense is listed, all of it', async () => {
  await paid(10n * million);
  await paid(12n * million);
  await leftToCustomer(await paid(13n * million), million);
  await leftToCustomer(await paid(10n * million), 4n * million);
  const disputed = await paid(15n * million);
  await write(shop, (tx) => disputePayment(tx, shop.deps, disputed.id, 'broken'));
  expect(await statusOf(shop, disputed)).toBe('in-appeal disputed');
  await paid(6n * million);
  await paid(7n * million, 'usdt-erc20');
  await reportUnmatched(shop, depositAt(shop));

  const totals = (await desk.get('/totals')).items as unknown as Record<string, string>[];
  const of = (asset: string) => totals.find((each) => each.asset === asset && each.mode === 'live');
  const overpaid = (await desk.get('/owed-overpayments')).items as unknown as { amounts: Line[] }[];
  const owed = [...overpaid.flatMap(({ amounts }) => amounts), ...(await linesAt('/owed-refunds'))];
  // 2, 3 and 5 beyond what was due, and 4 of what the merchant gives back.
  expect(sumOf(owed, usdc)).toBe(14);
  expect(of(usdc)).toMatchObject({ payable: '14', suspense: '6' });

  const waiting = await linesAt('/suspense');
  expect([sumOf(waiting, usdc), sumOf(waiting, 'usdt-erc20')]).toEqual([6, 7]);
  expect(of('usdt-erc20')).toMatchObject({ payable: '0', suspense: '7' });
  const unmatched = await linesAt('/strays');
  expect(`${sumOf(unmatched, 'pi')}`).toBe(of('pi')?.suspense);
  for (const { sum } of totals) expect(sum).toBe('0');
});
