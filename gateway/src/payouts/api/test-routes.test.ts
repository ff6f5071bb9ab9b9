import { describe, expect, test } from 'vitest';
import { openPayoutDesk } from '../../../test/payouts/desk.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { auditFindings } from '../../../test/support/payment-fixtures.ts';

const { db } = await testDatabase();
const { call, order, play, pass, balance, events } = openPayoutDesk(db);

describe('outcomes of test mode', () => {
  test.each([
    ['sent', 'completed'],
    ['slow', 'sending'],
    ['stuck', 'sending'],
    ['refused_address', 'failed'],
    ['no_gas', 'queued'],
    ['signer_silent', 'queued'],
    ['reorg', 'completed'],
  ])('%s leaves it %s', async (outcome, status) => {
    const { data } = await order();
    expect((await play(data.id, outcome)).data.status).toBe(status);
  });

  test('what waits is sent when that is played, and what is refused gives the money back', async () => {
    const { data: waits } = await order();
    expect((await play(waits.id, 'no_gas')).data.failure).toMatch(/network fee/);
    await pass(3600);
    expect((await play(waits.id, 'sent')).data).toMatchObject({ status: 'completed', failure: null });
    const { data: fails } = await order();
    expect((await play(fails.id, 'refused_address')).data.failure).toMatch(/refuses/);
    expect(await play(fails.id, 'sent')).toMatchObject({ status: 409 });
    expect(await balance()).toBe('89500000 0');
    expect(await events()).toEqual(['1 payout_completed', '1 payout_failed']);
  });

  test('a reorg takes it back and brings it again, with one event', async () => {
    const { data } = await order();
    await play(data.id, 'reorg');
    await pass(5);
    expect((await call('GET', `/payouts/${data.id}`)).data.status).toBe('sending');
    expect(await balance()).toBe('100000000 10500000');
    await pass(5);
    expect((await call('GET', `/payouts/${data.id}`)).data.status).toBe('completed');
    expect(await balance()).toBe('89500000 0');
    expect(await events()).toEqual(['1 payout_completed']);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('a payout to the address for that waits for an approval, though the settings ask for none', async () => {
    const { data } = await order({ to: 'test_needs_approval' });
    expect(data).toMatchObject({ status: 'awaiting_approval', approvals_needed: 1 });
    expect(await events()).toEqual(['1 payout_awaiting_approval']);
    expect(await play(data.id, 'sent')).toMatchObject({ status: 409 });
    expect((await call('POST', `/payouts/${data.id}/cancel`)).data.status).toBe('cancelled');
    expect(await balance()).toBe('100000000 0');
  });

  test('test money comes by a top-up', async () => {
    expect(await call('POST', '/test/top-ups', { asset: 'usdc-base', amount: 5 })).toMatchObject({
      status: 200,
      data: { asset: 'usdc-base', amount: '5' },
    });
    expect(await balance()).toBe('105000000 0');
  });
});
