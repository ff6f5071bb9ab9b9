import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { keptOf } from '../heard.ts';
import { bitstamp } from './bitstamp.ts';
import { coinbase } from './coinbase.ts';
import { coingecko } from './coingecko.ts';
import { ecb } from './ecb.ts';
import { getText } from './get-text.ts';
import { isSourceName, openSources, sourceNames } from './known.ts';
import { kraken } from './kraken.ts';
import type { RateSource } from './source.ts';

const now = new Date('2026-11-29T19:00:00Z');
const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A server that speaks as a public source does, as its documentation says; what it is asked for is noted. */
async function openServer(answers: Record<string, string>): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const body = answers[url] ?? answers[url.split('?')[0] ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** `USDC/USD 0.9998` for each rate that is kept. */
async function ratesOf(source: RateSource): Promise<string[]> {
  const kept = keptOf(await source.ask(getText), now);
  return kept.map(
    ({ currency, priceCurrency, rate, fault }) => `${currency}/${priceCurrency} ${rate ?? fault}`,
  );
}

describe('Coinbase', () => {
  const body = (currency: string, rates: object) => JSON.stringify({ data: { currency, rates } });
  const answers = {
    '/v2/exchange-rates?currency=USDC': body('USDC', {
      USD: '1.0',
      EUR: '0.8633',
      GBP: '0.7554',
      BTC: '0.00001',
    }),
    '/v2/exchange-rates?currency=USDT': body('USDT', { USD: '0.9995', EUR: '0.8628', AED: '3.67' }),
    '/v2/exchange-rates?currency=USD': body('USD', {
      USD: '1.0',
      EUR: '0.8634',
      KWD: '0.30709',
      BTC: '0.00001',
    }),
  };

  test('says what coins are worth in the currencies that exchanges trade, and USD in all', async () => {
    const { origin } = await openServer(answers);
    expect(await ratesOf(coinbase(origin))).toEqual([
      ...['USDC/USD 1', 'USDC/EUR 0.8633', 'USDC/GBP 0.7554', 'USDT/USD 0.9995', 'USDT/EUR 0.8628'],
      ...['USD/EUR 0.8634', 'USD/KWD 0.30709'],
    ]);
  });

  test('fails as a whole where one of its answers is missing', async () => {
    const { origin } = await openServer({ ...answers, '/v2/exchange-rates?currency=USDT': '{"errors": []}' });
    await expect(coinbase(origin).ask(getText)).rejects.toThrow('answered in another form');
  });
});

describe('Kraken', () => {
  const ticker = (last: string) => ({ a: ['9', '1', '1.0'], b: ['9', '1', '1.0'], c: [last, '120.5'] });

  test('says the last trade of each pair, by its own names', async () => {
    const result = { USDCUSD: ticker('0.9999'), USDTZUSD: ticker('1.0002'), USDTEUR: ticker('0.8637') };
    const { origin, asked } = await openServer({ '/0/public/Ticker': JSON.stringify({ error: [], result }) });
    expect(await ratesOf(kraken(origin))).toEqual(['USDC/USD 0.9999', 'USDT/USD 1.0002', 'USDT/EUR 0.8637']);
    expect(asked).toEqual(['/0/public/Ticker?pair=USDCUSD,USDCEUR,USDCGBP,USDTZUSD,USDTEUR,USDTGBP']);
  });

  test('refuses with a reason', async () => {
    const error = ['EGeneral:Too many requests'];
    const { origin } = await openServer({ '/0/public/Ticker': JSON.stringify({ error }) });
    await expect(kraken(origin).ask(getText)).rejects.toThrow('refused: EGeneral:Too many requests');
  });

  test('without a trade has no rate', async () => {
    const result = { USDCUSD: { ...ticker('1'), c: [] }, USDTZUSD: null };
    const { origin } = await openServer({ '/0/public/Ticker': JSON.stringify({ error: [], result }) });
    expect(await ratesOf(kraken(origin))).toEqual([
      'USDC/USD said nothing, which is no positive decimal',
      'USDT/USD said nothing, which is no positive decimal',
    ]);
  });
});

test('Bitstamp says the last trade of each market, of which those of stable coins count', async () => {
  const ticker = (pair: string, last: unknown) => ({
    timestamp: '1796065200',
    pair,
    last,
    bid: '9',
    ask: '9',
  });
  const body = [
    ticker('BTC/USD', '91000'),
    ticker('USDC/USD', '0.99990'),
    ticker('USDT/EUR', '0.86310'),
    null,
    7,
  ];
  const { origin } = await openServer({ '/api/v2/ticker/': JSON.stringify(body) });
  expect(await ratesOf(bitstamp(origin))).toEqual(['USDC/USD 0.9999', 'USDT/EUR 0.8631']);
  const { origin: other } = await openServer({ '/api/v2/ticker/': '{"status": "error"}' });
  await expect(bitstamp(other).ask(getText)).rejects.toThrow('answered in another form');
});

describe('CoinGecko', () => {
  const seconds = now.getTime() / 1000;
  const body = {
    'pi-network': { usd: 0.2345678901234567, eur: 0.2025, last_updated_at: seconds - 60 },
    tether: { usd: 0.9997, last_updated_at: seconds - 301 },
  };

  test('says numbers, and how old they are', async () => {
    const { origin } = await openServer({ '/api/v3/simple/price': JSON.stringify(body) });
    const kept = keptOf(await coingecko(origin).ask(getText), now);
    expect(kept.map(({ currency, priceCurrency, rate }) => [currency, priceCurrency, rate])).toEqual([
      ['PI', 'USD', '0.234567890123'],
      ['PI', 'EUR', '0.2025'],
      ['USDT', 'USD', '0.9997'],
    ]);
    // What it has had for more than five minutes has that age; a cache of a minute is as good as now.
    expect(kept.map(({ at }) => (now.getTime() - (at?.getTime() ?? 0)) / 1000)).toEqual([0, 0, 301]);
  });

  test('is asked once for all', async () => {
    const { origin, asked } = await openServer({ '/api/v3/simple/price': JSON.stringify(body) });
    await coingecko(origin).ask(getText);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('ids=pi-network%2Cusd-coin%2Ctether&vs_currencies=usd%2Ceur%2Cgbp');
  });
});

describe('the European Central Bank', () => {
  const file = (cubes: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube><Cube time='2026-11-27'>${cubes}</Cube></Cube>
</gesmes:Envelope>`;
  const path = '/stats/eurofxref/eurofxref-daily.xml';
  const cube = (currency: string, rate: string) => `<Cube currency='${currency}' rate='${rate}'/>`;

  test('says what USD is in each currency, as of its day', async () => {
    const cubes = cube('USD', '1.1600') + cube('JPY', '181.25') + cube('CHF', '0.93') + cube('XDR', '2');
    const { origin } = await openServer({ [path]: file(cubes) });
    const kept = keptOf(await ecb(origin).ask(getText), now);
    expect(kept.map(({ currency, priceCurrency, rate }) => `${currency}/${priceCurrency} ${rate}`)).toEqual([
      ...['USD/JPY 156.25', 'USD/CHF 0.801724137931', 'USD/EUR 0.862068965517'],
    ]);
    expect(kept.map(({ at }) => at?.toISOString())).toEqual(Array(3).fill('2026-11-27T15:00:00.000Z'));
  });

  test('says nothing where its file has no day or no dollar, and nothing of a rate that is none', async () => {
    const { origin } = await openServer({ [path]: '<html>Maintenance</html>' });
    await expect(ecb(origin).ask(getText)).rejects.toThrow('answered without a day');
    const { origin: other } = await openServer({ [path]: file(cube('USD', 'N/A')) });
    await expect(ecb(other).ask(getText)).rejects.toThrow('answered without a rate of USD');
    const { origin: third } = await openServer({ [path]: file(cube('USD', '1') + cube('CHF', '-1')) });
    expect(await ratesOf(ecb(third))).toContain('USD/CHF said "-1", which is no positive decimal');
  });
});

test('a source that answers too late is left', async () => {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await expect(getText(`http://127.0.0.1:${port}/`, 50)).rejects.toThrow(
    /^did not answer within 0.05 seconds$/,
  );
});

test('sources are opened by their names; addresses are named by their hosts', () => {
  const words = [
    ...sourceNames,
    'https://a.example/usd?key=1',
    'https://a.example/eur',
    'https://b.example:8443/',
  ];
  expect(openSources(words).map(({ name }) => name)).toEqual([
    ...sourceNames,
    ...['a.example', 'a.example (2)', 'b.example:8443'],
  ]);
  expect(openSources(['ecb']).map(({ quotesCoins }) => quotesCoins)).toEqual([false]);
  expect(isSourceName('toString')).toBe(false);
});
