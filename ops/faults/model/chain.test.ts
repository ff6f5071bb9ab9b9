import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readPi } from './chain.ts';

const custodyAccount = 'GCUSTODY';

/** A Horizon whose account got one payment in each of these seconds, newest first. */
async function horizonOf(seconds: readonly string[]) {
  const records = seconds.map((created_at) => ({
    ...{
      type: 'payment',
      to: custodyAccount,
      from: 'GCUSTOMER',
      amount: '1.5',
      asset_type: 'native',
      created_at,
    },
    transaction: { memo: created_at },
  }));
  const server = createServer((request, response) => {
    const isFirst = !request.url?.includes('cursor');
    const next = { href: `http://${request.headers.host}/?cursor=1` };
    response.end(JSON.stringify({ _embedded: { records: isFirst ? records : [] }, _links: { next } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('what came in the second in which a seed began counts, since Horizon tells no parts of it', async () => {
  const horizon = await horizonOf(['2026-11-30T12:00:01Z', '2026-11-30T12:00:00Z', '2026-11-30T11:59:59Z']);
  const network = { horizonUrl: horizon.url, passphrase: '', custodyAccount, customers: [] };
  const came = await readPi(network, Date.parse('2026-11-30T12:00:00.700Z'));
  horizon.close();
  expect(came.map(({ memo, fine }) => [memo, fine])).toEqual([
    ['2026-11-30T12:00:01Z', 15n * 10n ** 17n],
    ['2026-11-30T12:00:00Z', 15n * 10n ** 17n],
  ]);
});
