import { beforeAll, describe, expect, test } from 'vitest';
import { walletPerson } from '../../../test/browser/wallet-person.ts';
import { seedBalance, testClock } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { postAll } from '../../ledger/ledger.ts';
import { bookDeposit } from '../../wallets/deposits/deposits.ts';
import { findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
const clock = testClock(new Date('2026-10-30T12:00:00Z'));
const app = await startApp({ env: { WITHDRAWAL_CHECKS: '0' }, now: clock.now });
const asset = 'usdc-base';
const to = `0x${'a'.repeat(40)}`;

async function person() {
  const own = walletPerson(app.baseUrl);
  const username = `h${newId().replaceAll('-', '').slice(4, 30)}`;
  expect((await own.send('sign-up', { username, password })).status).toBe(303);
  const owner = (await findUserIds(app.db, [username])).get(username) ?? '';
  const back = () => own.send('sign-in', { username, password });
  return { ...own, username, owner, back };
}
type Person = Awaited<ReturnType<typeof person>>;

const bringIn = ({ owner }: Person, state: 'final' | 'gone', arrivalKey: string, ledgerId: string) =>
  transaction(app.db, (tx) =>
    bookDeposit(
      tx,
      {
        ...{ rail: 'evm:8453', key: arrivalKey, ledgerId, owner: { kind: 'user', id: owner as never } },
        ...{ transaction: '0xfeed', asset, units: 9_000_000n, sender: '0xdef', state, at: clock.now() },
      },
      { mode: 'live', now: clock.now() },
    ),
  );
const linesIn = (text: string) =>
  [...text.matchAll(/href="\/wallet\/(history\/entry\?[^"]+)"/g)].map(([, at = '']) => at);
const unescaped = (path: string | undefined) => (path ?? '').replaceAll('&amp;', '&');

describe('the history', () => {
  let own: Person;
  let other: Person;
  beforeAll(async () => {
    [own, other] = [await person(), await person()];
    await bringIn(own, 'final', `8453:${newId()}:0`, newId(clock.now()));
    clock.advance(31 * 24 * 3600);
    await Promise.all([own.back(), other.back()]);
    const seed = { owner: own.owner, kind: 'user', mode: 'live', asset: 'pi', units: 5_000_000n } as const;
    await seedBalance(app.db, seed, clock.now());
    const sent = { to: other.username, asset, amount: '2.5', note: 'Lunch <b>', confirm: 'yes' };
    expect((await own.send('send', sent)).status).toBe(303);
  });

  test('is grouped by day, and says who and what in words with signed amounts', async () => {
    const { text, words } = await own.get('history');
    expect([...text.matchAll(/data-day="([^"]+)"/g)].map(([, day]) => day)).toEqual([
      '2026-11-30',
      '2026-10-30',
    ]);
    expect(words).toContain('Today');
    expect(words).toContain('Friday, October 30');
    expect(words).toContain(`Sent to ${other.username} Lunch &lt;b&gt; −2.50 USDC 12:00 PM UTC · Base`);
    expect(words).toContain('Brought in on Base +9.00 USDC');
    expect(text).not.toContain('Lunch <b>');
    // Balances of several coins one after another tell nothing.
    expect(words).not.toContain('Balance');
  });

  test('of one coin has the balance after each line, and of one month its lines alone', async () => {
    const ofCoin = await own.get(`history?asset=${asset}`);
    expect(linesIn(ofCoin.text)).toHaveLength(2);
    expect(ofCoin.words).toContain('Balance 6.50 USDC');
    const ofMonth = await own.get('history?asset=&month=2026-10');
    expect(linesIn(ofMonth.text)).toHaveLength(1);
    expect(ofMonth.text).toContain('<option value="2026-10" selected>October 2026</option>');
    expect((await own.get(`history?asset=pi&month=2026-10`)).words).toContain('Nothing here.');
    for (const odd of ['asset=gold&month=2026-13', "month='&asset='", 'month=%00'])
      expect(linesIn((await own.get(`history?${odd}`)).text)).toHaveLength(3);
    const file = /href="\/wallet\/(history\.csv\?[^"]+)"/.exec(ofMonth.text)?.[1];
    expect((await own.get(unescaped(file))).text.trim().split('\r\n')).toHaveLength(2);
  });

  test('of a wallet in which nothing moved says so', async () => {
    expect((await (await person()).get('history')).words).toContain('Nothing has moved yet.');
  });

  test('leads from each line to a page of its own: hash, sender, status, and the balance after it', async () => {
    const [sent = '', , deposit = ''] = linesIn((await own.get('history')).text).map(unescaped);
    const ofDeposit = await own.get(deposit);
    expect(ofDeposit.words).toContain('Brought in on Base +9.00 USDC Confirmed · Balance 9.00 USDC');
    for (const each of ['0xfeed', '0xdef']) expect(ofDeposit.text).toContain(each);
    const ofSend = await own.get(sent);
    expect(ofSend.words).toContain(`Sent to ${other.username} −2.50 USDC Sent · Balance 6.50 USDC`);
    expect(ofSend.text).toContain('Lunch &lt;b&gt;');
    // Nobody else sees it, and what names no line leads back.
    const strange = await other.get(sent);
    expect([strange.status, strange.to]).toEqual([303, '/wallet/history']);
    for (const id of ['', '0', '-1', 'x', '9'.repeat(18), '9'.repeat(40)])
      expect((await own.get(`history/entry?id=${id}`)).to).toBe('/wallet/history');
  });

  test('says that a network took a transfer back', async () => {
    const [key, id] = [`8453:${newId()}:0`, newId(clock.now())];
    const loser = await person();
    await bringIn(loser, 'final', key, id);
    await bringIn(loser, 'gone', key, id);
    const { words, text } = await loser.get('history');
    expect(words).toContain('A transfer on Base was taken back by the network −9.00 USDC');
    const [first] = linesIn(text).map(unescaped);
    expect((await loser.get(first ?? '')).words).toContain('Dropped by the network');
  });
});

describe('a withdrawal', () => {
  test('is on its way in the history before it has left, with a page that says where it is', async () => {
    const own = await person();
    await seedBalance(app.db, { owner: own.owner, kind: 'user', mode: 'test', asset, units: 9_000_000n });
    const order = { mode: 'test', asset, amount: '4', to, confirm: 'yes' };
    const ordered = (await own.send('withdraw', order)).to ?? '';
    expect(ordered).toMatch(/^\/wallet\/withdrawal\?mode=test&id=[\w-]{36}&notice=withdrawOrdered$/);
    for (const page of ['?mode=test', 'history?mode=test']) {
      const { words } = await own.get(page);
      expect(words).toContain('On its way Being sent');
    }
    expect((await own.get('history')).words).not.toContain('On its way');
    const path = ordered.replace('/wallet/', '');
    const { words, text } = await own.get(path);
    expect(words).toContain('A withdrawal of 4.00 USDC was ordered 4.00 USDC Being sent');
    expect(text).toContain(to.slice(6, -6));
    expect((await (await person()).get(path)).to).toBe('/wallet/withdraw?mode=test');
    expect((await own.get(path.replace('mode=test&', ''))).to).toBe('/wallet/withdraw');
    const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await own.send('withdraw/cancel', { mode: 'test', id })).to).toContain('withdrawCancelled');
    expect((await own.get(path)).words).toContain('Not sent. The money is yours again.');
    expect((await own.get('?mode=test')).words).not.toContain('On its way');
  });

  test('that left has its fee on a line of its own, and both lead to its transaction', async () => {
    const own = await person();
    const mode = 'test';
    await seedBalance(app.db, { owner: own.owner, kind: 'user', mode, asset, units: 9_000_000n });
    const ordered = (await own.send('withdraw', { mode, asset, amount: '4', to, confirm: 'yes' })).to ?? '';
    const id = new URL(ordered, app.baseUrl).searchParams.get('id');
    await transaction(app.db, async (tx) => {
      const debit = { kind: 'user', owner: own.owner } as const;
      const shared = { mode, asset, debit, causeId: id } as const;
      const fees = { kind: 'fees', owner: '' } as const;
      await postAll(
        tx,
        [{ ...shared, id: newId(clock.now()), units: 10_000n, credit: fees, cause: 'payout_fee' }],
        clock.now(),
      );
      await tx.query(`UPDATE payouts SET transaction = '0xbeef' WHERE id = $1`, [id]);
    });
    const { text, words } = await own.get('history?mode=test');
    expect(words).toContain('Fee of a withdrawal −0.01 USDC');
    const [fee] = linesIn(text).map(unescaped);
    const { text: shown } = await own.get(fee ?? '');
    expect(shown).toContain('0xbeef');
    expect(shown).toContain('data-copy="0xbeef"');
  });
});

test('the ledger is whole after all of that', async () => {
  expect((await auditLedger(app.db)).findings).toEqual([]);
});
