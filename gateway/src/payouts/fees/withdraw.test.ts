import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { postAll } from '../../ledger/ledger.ts';
import { addressesOf, feeAccount, operatorOf } from '../../ledger/places.ts';
import { feeTotals, installationTotals } from '../../ledger/totals.ts';
import { createAssets } from '../../money/assets.ts';
import type { Sending, SendReport } from '../../rails/rail.ts';
import { cancelPayout } from '../lifecycle/cancel.ts';
import { takeSendReports } from '../lifecycle/reports.ts';
import type { PayoutDeps } from '../lifecycle/state.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { setPayoutTerms } from '../rules/terms.ts';
import { feeWithdrawal, withdrawFees } from './withdraw.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const assets = createAssets();
const sending: Sending = {
  rail: 'evm:56',
  mode: 'live',
  outside: { kind: 'external', owner: operatorOf('evm:56').owner },
  assets: assets.all.map(({ code }) => code),
  faultOf: () => null,
  ownOf: async () => new Set(),
  unavailable: async () => null,
  order: async () => {},
  cancel: async () => true,
};
const deps: PayoutDeps = {
  hints: noHints,
  assets,
  sendings: [sending],
  purposes: { fee_withdrawal: feeWithdrawal },
  now: () => now,
};
const codes = ['usdt-bep20', 'usdc-bep20', 'usdc-base', 'usdt-erc20', 'csk-bep20'];
let asset: ReturnType<typeof assets.get>;
let unused = [...codes];
beforeEach(async () => {
  // Fees belong to nobody in particular: each test has an asset of its own.
  const [code = '', ...others] = unused;
  unused = others;
  asset = assets.get(code);
  const sides = { debit: addressesOf('evm:56'), credit: feeAccount };
  const transfer = { id: newId(now), mode: 'live', asset: code, units: 100n, ...sides } as const;
  await transaction(db, (tx) => postAll(tx, [{ ...transfer, cause: 'test', causeId: null }], now));
});

const requester = { accountId: null, name: 'olga', limits: null };
const withdraw = (units: bigint) =>
  transaction(db, (tx) => withdrawFees(tx, deps, { asset, units, to: '0xabc', memo: null }, requester));
const total = async () => {
  const [{ earned, leaving } = { earned: 0n, leaving: 0n }] = await feeTotals(db, 'live', asset.code);
  return [earned, leaving];
};
const report = ({ id, rail }: Payout, state: SendReport['state']) =>
  transaction(db, (tx) =>
    takeSendReports(tx, deps, [{ id, rail, state, transaction: '0x1', why: null, at: now }]),
  );

test('fees leave when their network shows it, and come back with the block that a reorg removes', async () => {
  const payout = await withdraw(70n);
  expect(payout).toMatchObject({ status: 'queued', integrationId: null, purpose: 'fee_withdrawal', fee: 0n });
  expect(await total()).toEqual([30n, 70n]);
  await report(payout, 'sending');
  await report(payout, 'sent');
  expect(await total()).toEqual([30n, 0n]);
  await report(payout, 'undone');
  expect(await total()).toEqual([30n, 70n]);
  await report(payout, 'sent');
  const [totals] = (await installationTotals(db)).filter((each) => each.asset === asset.code);
  expect(totals?.units).toMatchObject({ fees: 30n, fees_out: 0n, external: -30n });
  expect((await auditLedger(db)).findings).toEqual([]);
});

test('of many at once no more is taken than was earned', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => withdraw(30n)));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await total()).toEqual([10n, 90n]);
  await expect(withdraw(11n)).rejects.toMatchObject({ row: payoutErrors.fees_short });
});

test('what is cancelled or fails is earned again', async () => {
  const [first, second] = [await withdraw(60n), await withdraw(40n)];
  await transaction(db, (tx) => cancelPayout(tx, deps, first.id));
  await report(second, 'failed');
  expect(await total()).toEqual([100n, 0n]);
  expect((await auditLedger(db)).findings).toEqual([]);
});

test('above the amount that operators approve, one that another operator confirmed is not approved once more', async () => {
  const terms = { fee: 0n, minimum: 0n, dailyLimit: null, approveAbove: 10n };
  await transaction(db, (tx) => setPayoutTerms(tx, asset.code, terms, now));
  const wanted = { asset, units: 20n, to: '0xabc', memo: null };
  const confirmed = { ...requester, isConfirmed: true };
  expect((await withdraw(20n)).status).toBe('awaiting_approval');
  expect((await transaction(db, (tx) => withdrawFees(tx, deps, wanted, confirmed))).status).toBe('queued');
});

test('what ended and left all the same is paid by the fees, which may fall below 0, until a reorg gives it back', async () => {
  const payout = await withdraw(60n);
  await report(payout, 'failed');
  await withdraw(100n);
  await report(payout, 'sent');
  await report(payout, 'sent');
  expect(await total()).toEqual([-60n, 100n]);
  await report(payout, 'undone');
  expect(await total()).toEqual([0n, 100n]);
  expect((await auditLedger(db)).findings).toEqual([]);
});
