import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { startHorizon } from './horizon.ts';

type Page = {
  _links: Record<'self' | 'next' | 'prev', { href: string }>;
  _embedded: { records: { paging_token: string }[] };
};

const alice = Keypair.random();
const bob = Keypair.random().publicKey();

const horizon = await startHorizon();
for (const address of [alice.publicKey(), bob]) horizon.fund(address, 1_000_000_000n);
const payment = { destination: bob, asset: Asset.native(), amount: '0.1' };
// 60 payments: three ledgers of four transactions, each with five operations.
for (let count = 1; count <= 12; count++) {
  const operations = [1, 2, 3, 4, 5].map(() => Operation.payment(payment));
  horizon.transact({ from: alice, operations, close: count % 4 === 0 });
}
afterAll(() => horizon.stop());

async function get<T = Page>(address: string): Promise<T> {
  const response = await fetch(address.startsWith('/') ? horizon.url + address : address);
  return (await response.json()) as T;
}

/** The tokens of all pages from an address on. */
async function tokensFrom(address: string): Promise<bigint[]> {
  const page = await get(address);
  const tokens = page._embedded.records.map((record) => BigInt(record.paging_token));
  return tokens.length === 0 ? [] : [...tokens, ...(await tokensFrom(page._links.next.href))];
}

const allTokens = (): bigint[] => horizon.core.history.of(bob)!.payments.map(({ token }) => token);

test.each([1, 7, 61, 200])('every token comes once in either order, in pages of %i', async (limit) => {
  const list = `/accounts/${bob}/payments?limit=${limit}`;
  expect(allTokens()).toHaveLength(61);
  expect(await tokensFrom(`${list}&order=asc`)).toEqual(allTokens());
  expect(await tokensFrom(`${list}&order=desc`)).toEqual(allTokens().reverse());
});

test('a token is the ledger, the order from 1 and the operation from 1', () => {
  const parts = allTokens().map((token) => [token >> 32n, (token >> 12n) & 0xfffffn, token & 0xfffn]);
  expect(parts.slice(0, 7)).toEqual([
    [3n, 1n, 1n],
    ...[1n, 2n, 3n, 4n, 5n].map((operation) => [4n, 1n, operation]),
    [4n, 2n, 1n],
  ]);
});

test('a page has ten records, and links to itself and both its neighbours', async () => {
  const { _links, _embedded } = await get(`/accounts/${bob}/payments?cursor=${allTokens()[9]}`);
  const { records } = _embedded;
  expect(records.map((record) => BigInt(record.paging_token))).toEqual(allTokens().slice(10, 20));
  const list = `${horizon.url}/accounts/${bob}/payments`;
  expect(_links).toEqual({
    self: { href: `${list}?cursor=${allTokens()[9]}&limit=10&order=asc` },
    next: { href: `${list}?cursor=${allTokens()[19]}&limit=10&order=asc` },
    prev: { href: `${list}?cursor=${allTokens()[10]}&limit=10&order=desc` },
  });
});

test('after the end there is a page without records that leads to itself', async () => {
  const { _links, _embedded } = await get(`/accounts/${bob}/payments?cursor=${allTokens()[60]}&limit=5`);
  expect(_embedded.records).toEqual([]);
  expect(_links.next).toEqual(_links.self);
});

test('now is after everything that there is', async () => {
  const last = horizon.core.last().sequence;
  expect((await get(`/accounts/${bob}/payments?cursor=now`))._embedded.records).toEqual([]);
  const { records } = (await get(`/accounts/${bob}/payments?cursor=now&order=desc&limit=1`))._embedded;
  expect(BigInt(records[0]!.paging_token) >> 32n).toBe(BigInt(last));
});

test.each([
  ['limit', 'limit=0'],
  ['limit', 'limit=201'],
  ['limit', 'limit=ten'],
  ['cursor', 'cursor=-1'],
  ['cursor', 'cursor=first'],
  ['order', 'order=up'],
  ['join', 'join=accounts'],
])('a %s that is none is refused: %s', async (field, query) => {
  const problem = await get<Record<string, unknown>>(`/accounts/${bob}/payments?${query}`);
  expect(problem).toMatchObject({ status: 400, title: 'Bad Request', extras: { invalid_field: field } });
});

test.each([
  ['/accounts/G123', 400],
  ['/transactions/abc', 400],
  [`/transactions/${'a'.repeat(64)}`, 404],
  ['/operations/77', 404],
  ['/ledgers/9999', 404],
  ['/nothing', 404],
])('%s is answered with %i', async (path, status) => {
  expect(await get<Record<string, unknown>>(path)).toMatchObject({ status, type: expect.any(String) });
});

test('two servers over one ledger tell the same, and one may be behind', async () => {
  const second = await startHorizon({ core: horizon.core });
  const path = `/accounts/${bob}/payments?limit=200`;
  const tokensOf = async (url: string) =>
    (await get(url + path))._embedded.records.map((record) => BigInt(record.paging_token));
  expect(await tokensOf(second.url)).toEqual(allTokens());
  second.lagLedgers = 1;
  const last = BigInt(horizon.core.last().sequence);
  expect(await tokensOf(second.url)).toEqual(allTokens().filter((token) => token >> 32n < last));
  expect(await tokensOf(horizon.url)).toEqual(allTokens());
  expect(await get(`${second.url}/`)).toMatchObject({ history_latest_ledger: Number(last) - 1 });
  const { balances } = await get<{ balances: { balance: string }[] }>(`${second.url}/accounts/${bob}`);
  expect(balances).toMatchObject([{ balance: '104.0000000' }]);
  await second.stop();
});
