import { newId } from '../../src/kit/ids.ts';
import type { Api } from '../support/api.ts';
import type { OpenConsole } from '../support/console.ts';
import type { RunningApp } from '../support/running.ts';

const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

/** Payouts of a busy place: one is queued, one waits for the business, and one for an operator too. Returns the last. */
export async function makePayouts(app: RunningApp, people: OpenConsole): Promise<string> {
  const owner = await people.as('owner');
  const finance = await people.as('finance');
  const operator = await people.as('operator');
  const done = async <Data>(client: Api, method: string, path: string, body: object): Promise<Data> => {
    const answer = await client<Data>(method, path, { body, headers: { 'idempotency-key': newId() } });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  await done(app.api, 'POST', '/test/top-ups', { asset: 'usdc-base', amount: '1000' });
  const terms = { fee: '0.25', minimum: '1', approve_above: '100' };
  await done(operator, 'PUT', '/console/operator/payout-terms/usdc-base', terms);
  const settings = { enabled: true, approvals: 1, known_addresses_only: false };
  const above = { approve_above: { 'usdc-base': '50' } };
  await done(owner, 'PUT', `${people.test}/payout-settings`, { ...settings, ...above });
  const entry = { asset: 'usdc-base', to, label: 'Our account at the exchange' };
  const { id: address } = await done<{ id: string }>(owner, 'POST', `${people.test}/payout-addresses`, entry);
  const schedule = { asset: 'usdc-base', keep: '100', most: '500', every: 'week', address };
  await done(owner, 'POST', `${people.test}/payout-schedules`, schedule);
  const order = (by: Api, amount: string, description: string) =>
    done<{ id: string }>(by, 'POST', `${people.test}/payouts`, {
      asset: 'usdc-base',
      amount,
      to,
      description,
    });
  await order(owner, '20', 'Rent of the shop');
  await order(finance, '80', 'Paper and ink');
  return (await order(finance, '150', 'Wages of November')).id;
}
