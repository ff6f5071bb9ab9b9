import { Keypair } from '@stellar/stellar-sdk';
import { describe, expect, test } from 'vitest';
import { openPayoutDesk, payoutAddress } from '../../../test/payouts/desk.ts';
import { seedMembers } from '../../../test/payouts/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { auditFindings } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { addAddress } from '../rules/addresses.ts';
import { resumePayouts, stopPayouts } from '../rules/stop.ts';
import { setPayoutTerms } from '../rules/terms.ts';

const { db } = await testDatabase();
const { clock, keyFor, call, owner, shop, order, orderTwice, play, pass, settle, balance, events } =
  openPayoutDesk(db);

describe('a payout', () => {
  test('leaves after five seconds by itself, and its receiver gets exactly the amount', async () => {
    const { status, message, data } = await order({ payout_reference: 'June' });
    expect([status, message]).toEqual([200, 'Payout created']);
    expect(data).toMatchObject({
      ...{ payout_reference: 'June', purpose: 'merchant_payout', status: 'queued', asset: 'usdc-base' },
      ...{ amount: '10.5', fee: '0', to: payoutAddress, memo: null, approvals_needed: 0, approvals: [] },
      ...{ transaction: null, failure: null, sent_at: null, completed_at: null },
    });
    expect(await balance()).toBe('100000000 10500000');
    await pass(5);
    const { data: sent } = await call('GET', '/payouts/June');
    expect(sent).toMatchObject({
      id: data.id,
      status: 'completed',
      transaction: expect.stringMatching(/^test_/),
    });
    expect(await balance()).toBe('89500000 0');
    expect(await events()).toEqual(['1 payout_completed']);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('pays its fee beside the amount', async () => {
    const terms = { fee: 250_000n, minimum: 1_000_000n, dailyLimit: null, approveAbove: null };
    await transaction(db, (tx) => setPayoutTerms(tx, 'usdc-base', terms, clock.now()));
    expect(await order({ amount: '0.99' })).toMatchObject({
      status: 400,
      message: 'amount is below the minimum payout of 1 USDC',
    });
    const { data } = await order();
    expect(data.fee).toBe('0.25');
    const { data: fees } = await call('GET', '/payout-fees');
    expect(fees.items).toContainEqual({
      ...{ asset: 'usdc-base', fee: '0.25', minimum: '1', daily_limit: null, available: true, why: null },
    });
    await play(data.id, 'sent');
    expect(await balance()).toBe('89250000 0');
    await transaction(db, (tx) =>
      setPayoutTerms(tx, 'usdc-base', { ...terms, fee: 0n, minimum: 0n }, clock.now()),
    );
    expect(await auditFindings(db)).toEqual([]);
  });

  test.each([
    [{ asset: undefined }, 'Asset is required'],
    [{ asset: 'doge' }, 'Asset not supported'],
    [{ amount: '0' }, 'amount must be a positive number'],
    [{ amount: -1 }, 'amount must be a positive number'],
    [{ amount: '1e3' }, 'amount must be a positive number'],
    [{ amount: undefined }, 'amount must be a positive number'],
    [{ amount: '1.0000001' }, 'amount has too many decimals for USDC'],
    [{ to: undefined }, 'to is required'],
    [{ to: '0x12' }, 'to is invalid: must be 0x and 40 hexadecimal digits'],
    [{ to: 7 }, 'to is invalid: must be an address'],
    [{ to: `0x${'aB'.repeat(20)}` }, 'to is invalid: its checksum is wrong; look for a typing error'],
    [{ memo: 'x' }, 'memo is invalid: this network has no memos'],
    [{ to: 'test_wallet', memo: 'a\0b' }, 'memo is invalid: must be one line of at most 100 characters'],
    [
      { to: 'test_wallet', memo: 'x'.repeat(101) },
      'memo is invalid: must be one line of at most 100 characters',
    ],
    [
      { asset: 'pi', to: Keypair.random().publicKey(), memo: 'a\0b' },
      'memo is invalid: must be one line of text',
    ],
  ])('%o is refused: %s', async (wrong, message) => {
    expect(await order(wrong)).toMatchObject({ status: 400, message });
    expect(await balance()).toBe('100000000 0');
  });

  test('is refused beyond the balance, before addresses and limits are looked at', async () => {
    await settle({ knownAddressesOnly: true });
    const limited = await keyFor({ dailyLimits: { 'usdc-base': '1' } });
    const refused = { status: 403, message: 'Insufficient business balance' };
    expect(await order({ amount: '100.000001' }, limited)).toMatchObject(refused);
    expect(await order({}, limited)).toMatchObject({
      status: 403,
      message: 'Address is not in the address book',
    });
  });

  test('goes to an address of the book once it has rested for a day', async () => {
    await settle({ knownAddressesOnly: true });
    const known = {
      address: payoutAddress.toUpperCase().replace('0X', '0x'),
      memo: null,
      label: 'Bank',
      by: 'Ann',
    };
    await transaction(db, (tx) => addAddress(tx, owner(), known, clock.now()));
    const from = new Date(clock.now().getTime() + 24 * 3_600_000).toISOString();
    expect(await order()).toMatchObject({ status: 403, message: `Address may be used from ${from}` });
    clock.advance(24 * 3600);
    expect(await order()).toMatchObject({ status: 200 });
  });

  test('takes the daily limit of its key, and gives it back when it ends unpaid', async () => {
    const limited = await keyFor({ dailyLimits: { 'usdc-base': '20' } });
    const { data } = await order({}, limited);
    expect(await order({}, limited)).toMatchObject({
      status: 403,
      message: 'This key may pay out 20 USDC a day; 9.5 is left',
    });
    expect(await order({ asset: 'usdc-polygon' }, limited)).toMatchObject({ status: 403 });
    expect(await call('POST', `/payouts/${data.id}/cancel`)).toMatchObject({
      status: 200,
      message: 'Payout cancelled',
    });
    expect(await order({}, limited)).toMatchObject({ status: 200 });
    expect(await events()).toEqual(['1 payout_cancelled']);
  });

  test('above the daily limit of a key that asks waits for a person, or is refused where nobody could approve', async () => {
    const limits = { dailyLimits: { 'usdc-base': '15' }, asksAbove: true };
    const key = await keyFor(limits);
    await order({ amount: '10' }, key);
    expect((await order({ amount: '6' }, key)).message).toMatch(/^This key may pay out 15 USDC a day; 5 /);
    await seedMembers(db, shop().integrationId, 1, clock.now());
    const { data } = await order({ amount: '6' }, key);
    expect(data).toMatchObject({ status: 'awaiting_approval', approvals_needed: 1 });
    expect((await order({ amount: '5' }, key)).data.status).toBe('queued');
    const { data: own } = await call('GET', '/key', undefined, key);
    expect(own).toMatchObject({
      ...{ kind: 'restricted', name: 'Payouts', mode: 'test', asks_above: true, valid_until: null },
      actions: ['use test mode calls', 'make payouts'],
      daily_limits: [{ asset: 'usdc-base', limit: '15', left: '0' }],
    });
  });

  test('is only judged by a dry run', async () => {
    const { message, data } = await order({ dry_run: true });
    expect([message, data.status, data.amount]).toEqual(['Payout judged', 'queued', '10.5']);
    expect((await order({ dry_run: true, amount: '999' })).error).toBe('insufficient_balance');
    expect(await balance()).toBe('100000000 0');
    const inBatch = { payouts: [{ asset: 'usdc-base', amount: '1', to: payoutAddress, dry_run: true }] };
    expect((await call('POST', '/payouts/batch', inBatch)).message).toBe('dry_run is invalid: unknown field');
  });

  test('may have a reference once', async () => {
    await order({ payout_reference: 'July' });
    expect(await order({ payout_reference: 'July' })).toMatchObject({
      status: 409,
      message: 'payout_reference already exists',
    });
    expect(await balance()).toBe('100000000 10500000');
  });

  test('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = await orderTwice(headers);
    expect(second).toEqual(first);
    expect(await balance()).toBe('100000000 10500000');
  });

  test('is cancelled before it is sent, and not after that', async () => {
    const { data } = await order();
    await play(data.id, 'slow');
    const refused = { status: 409, message: 'Payout can no longer be cancelled' };
    expect(await call('POST', `/payouts/${data.id}/cancel`)).toMatchObject(refused);
    expect(await call('GET', '/payouts/nobody')).toMatchObject({ status: 404, message: 'Payout not found' });
  });

  test('is not ordered while the operator has stopped payouts', async () => {
    await transaction(db, (tx) => stopPayouts(tx, { reason: 'Audit', by: 'Ann', at: clock.now() }));
    expect(await order()).toMatchObject({ status: 409, message: 'Payouts are stopped' });
    await transaction(db, (tx) => resumePayouts(tx));
    expect(await order()).toMatchObject({ status: 200 });
  });
});

describe('a key', () => {
  test('makes payouts only where it names the right', async () => {
    const refused = { status: 403, message: 'This key may not make payouts' };
    expect(await order({}, shop().secretKey)).toMatchObject(refused);
    expect(await call('GET', '/payouts', undefined, shop().secretKey)).toMatchObject(refused);
  });

  test('of live mode is told first that payouts are not enabled', async () => {
    const refused = { status: 403, message: 'Payouts are not enabled' };
    expect(await order({}, shop().liveSecretKey)).toMatchObject(refused);
    expect(await order({}, await keyFor({}, 'live'))).toMatchObject(refused);
  });
});
