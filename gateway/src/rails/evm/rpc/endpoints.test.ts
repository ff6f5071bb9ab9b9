import { describe, expect, test } from 'vitest';
import { type Asked, byMethod, startRpcServer } from '../../../../test/chain/rpc-server.ts';
import { createEndpoints, type Endpoint } from './endpoints.ts';
import { RpcFault } from './rpc-fault.ts';

const well = byMethod({ eth_chainId: '0x38', eth_blockNumber: '0x10', eth_getLogs: [] });
const head = { method: 'eth_blockNumber', params: [] };
const logs = (blocks: number) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: '0x1', toBlock: `0x${blocks.toString(16)}` }],
});

/** Endpoints of chain 56 on servers of their own, and a clock that stands still until it is moved. */
async function setUp(...answers: Parameters<typeof startRpcServer>[0][]) {
  const servers = await Promise.all(answers.map((answer) => startRpcServer(answer)));
  const clock = { ms: 1_000_000 };
  const endpoints = createEndpoints({
    chain: { id: 56, rpcUrls: servers.map(({ url }) => url), blockSeconds: 1 },
    nowMs: () => clock.ms,
    timeoutMs: 5_000,
  });
  /** The place of the endpoint that did the work, from 1; null: none could. */
  const used = async (except?: Endpoint) => {
    const excepted = except ? [except.name] : [];
    const work = (each: Endpoint) => each.batch([head]);
    const done = await endpoints.use(work, { except: excepted }).catch(() => null);
    return done && placeOf(done.endpoint);
  };
  const endpoint = async (place: number) => {
    let found: Endpoint | undefined;
    await endpoints.use(async (each) => {
      if (placeOf(each) !== place) throw new RpcFault('refused', 'another');
      found = each;
    });
    return found!;
  };
  const asked = () => servers.map((server) => server.asked.length);
  return { endpoints, clock, used, endpoint, asked };
}

const placeOf = ({ name }: Endpoint) => Number.parseInt(name.split('#')[1]!, 10);
const down = () => ({ status: 502, body: '' });

describe('the endpoint that is used', () => {
  test('is the first of the configuration while all are well', async () => {
    const { used } = await setUp(well, well);
    expect([await used(), await used()]).toEqual([1, 1]);
  });

  test('is the next one when the first fails, and the first again after it rested', async () => {
    let isDown = true;
    const { used, clock, asked } = await setUp((body) => (isDown ? down() : well(body)), well);
    expect(await used()).toBe(2);
    const [before] = asked();
    expect(await used()).toBe(2);
    expect(asked()[0]).toBe(before);
    isDown = false;
    clock.ms += 600;
    expect(await used()).toBe(1);
  });

  test('rests longer after each fault in a row', async () => {
    const { endpoints, used, clock } = await setUp(down, well);
    const rests: number[] = [];
    for (let faults = 0; faults < 10; faults += 1) {
      await used();
      rests.push(endpoints.report()[0]!.retrySeconds!);
      clock.ms += 60_000;
    }
    expect(rests).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('is left alone for as long as it asks, even when it is the only one', async () => {
    let isLimited = true;
    const { used, clock, asked } = await setUp((body) =>
      isLimited ? { status: 429, headers: { 'retry-after': '30' }, body: '' } : well(body),
    );
    expect(await used()).toBeNull();
    isLimited = false;
    clock.ms += 29_000;
    expect(await used()).toBeNull();
    expect(asked()).toEqual([1]);
    clock.ms += 1_001;
    expect(await used()).toBe(1);
  });

  test('is tried every few seconds while none is well, so that an outage ends when it ends', async () => {
    let isDown = true;
    const { used, clock } = await setUp((body) => (isDown ? down() : well(body)));
    for (let minute = 0; minute < 60; minute += 1) {
      clock.ms += 60_000;
      expect(await used()).toBeNull();
    }
    isDown = false;
    clock.ms += 5_000;
    expect(await used()).toBe(1);
  });

  test('names the last fault when none is well, without asking again at once', async () => {
    const { endpoints, asked } = await setUp(down, down);
    const use = () => endpoints.use((endpoint) => endpoint.batch([head]));
    await expect(use()).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(use()).rejects.toMatchObject({ kind: 'unreachable', message: /answered 502/ });
    expect(asked()).toEqual([1, 1]);
  });

  test('is another one than the excepted one, where there is one', async () => {
    const { used, endpoint } = await setUp(well, well);
    expect(await used(await endpoint(1))).toBe(2);
    const alone = await setUp(well);
    expect(await alone.used(await alone.endpoint(1))).toBe(1);
  });

  test('is not the excepted one while the others rest', async () => {
    const { used, endpoint, asked } = await setUp(well, down);
    const first = await endpoint(1);
    const [before] = asked();
    expect([await used(first), await used(first)]).toEqual([null, null]);
    expect(asked()[0]).toBe(before);
  });

  test('is not one that lags, until that is long ago', async () => {
    const { endpoints, endpoint, used, clock } = await setUp(well, well);
    endpoints.noteReached(await endpoint(2), 100n);
    endpoints.noteReached(await endpoint(1), 89n);
    expect(await used()).toBe(2);
    expect(endpoints.report()[0]).toMatchObject({ state: 'behind', lagBlocks: 11 });
    clock.ms += 60_000;
    expect(await used()).toBe(1);
  });

  test('lags no more when the one that was far ahead has reported another head, or none for a minute', async () => {
    const { endpoints, endpoint, clock } = await setUp(well, well);
    const [first, second] = [await endpoint(1), await endpoint(2)];
    const lag = (number: bigint) => {
      endpoints.noteReached(first, number);
      return endpoints.report()[0]!.lagBlocks;
    };
    endpoints.noteReached(second, 10n ** 9n);
    expect(lag(100n)).toBe(10 ** 9 - 100);
    endpoints.noteReached(second, 101n);
    expect(lag(100n)).toBe(1);
    endpoints.noteReached(second, 10n ** 9n);
    clock.ms += 60_000;
    expect(lag(160n)).toBe(0);
  });

  test('may be a few blocks behind: that is no reason to change', async () => {
    const { endpoints, endpoint, used } = await setUp(well, well);
    endpoints.noteReached(await endpoint(2), 100n);
    endpoints.noteReached(await endpoint(1), 98n);
    expect(await used()).toBe(1);
  });

  test('is not one that disagreed with another, and operators see why', async () => {
    const { endpoints, endpoint, used } = await setUp(well, well);
    endpoints.noteDoubt(await endpoint(1), 'disagreed on block 7');
    expect(await used()).toBe(2);
    expect(endpoints.report()[0]).toMatchObject({ state: 'suspect', fault: /disagreed on block 7/ });
  });

  test('is not one that refuses logs, for a minute', async () => {
    const { endpoints, used, clock } = await setUp(
      byMethod({ eth_chainId: '0x38', eth_blockNumber: '0x1' }),
      well,
    );
    const read = () => endpoints.use((endpoint) => endpoint.batch([logs(1)]));
    expect(placeOf((await read()).endpoint)).toBe(2);
    expect(await used()).toBe(2);
    expect(endpoints.report()[0]).toMatchObject({ state: 'suspect', fault: /^eth_getLogs: the method does/ });
    clock.ms += 60_000;
    expect(await used()).toBe(1);
  });

  test('is not one that is much slower', async () => {
    const clock = { ms: 0 };
    const slow = await startRpcServer((body) => {
      clock.ms += 2_000;
      return well(body);
    });
    const quick = await startRpcServer(well);
    const chain = { id: 56, rpcUrls: [slow.url, quick.url], blockSeconds: 1 };
    const endpoints = createEndpoints({ chain, nowMs: () => clock.ms });
    const use = () => endpoints.use((endpoint) => endpoint.batch([head]));
    expect(placeOf((await use()).endpoint)).toBe(1);
    expect(placeOf((await use()).endpoint)).toBe(2);
    expect(placeOf((await use()).endpoint)).toBe(2);
  });

  test('never is one of another chain', async () => {
    const { endpoints, used } = await setUp(byMethod({ eth_chainId: '0x1', eth_blockNumber: '0x1' }), well);
    expect(await used()).toBe(2);
    expect(endpoints.report()[0]).toMatchObject({
      state: 'wrong_chain',
      fault: /serves chain 1 instead of chain 56/,
    });
  });

  test('is not changed for what is no fault of an endpoint: that comes out at once', async () => {
    const { endpoints } = await setUp(well, well);
    const broken = endpoints.use(() => Promise.reject(new TypeError('a mistake of ours')));
    await expect(broken).rejects.toThrow('a mistake of ours');
    expect(endpoints.report().map(({ fault }) => fault)).toEqual([null, null]);
  });
});

describe('the blocks that are asked for at once', () => {
  /** Takes so many blocks at once and no more. */
  const limitedTo = (most: number) => (body: Asked | Asked[]) => {
    const { id, method, params } = body as Asked;
    const { toBlock } = (params[0] ?? {}) as { toBlock?: string };
    const isTooMuch = method === 'eth_getLogs' && Number.parseInt(toBlock!, 16) > most;
    return isTooMuch
      ? { body: { id, error: { code: -32000, message: 'block range is too large' } } }
      : well(body);
  };
  const read = (endpoint: Endpoint) => endpoint.batch([logs(endpoint.span())]).then(() => endpoint.span());

  test('become fewer until the endpoint takes them, in the same call', async () => {
    const { endpoints } = await setUp(limitedTo(100));
    expect((await endpoints.use(read)).value).toBeLessThanOrEqual(100);
    expect(endpoints.report()[0]).toMatchObject({ state: 'up', fault: null });
  });

  test('approach the limit that was met without meeting it again', async () => {
    const { endpoints, asked } = await setUp(limitedTo(700));
    for (let times = 0; times < 20; times += 1) await endpoints.use(read);
    const [before] = asked();
    await endpoints.use(read);
    expect(asked()[0]).toBe(before! + 1);
    expect(endpoints.report()[0]!.span).toBeGreaterThan(600);
  });

  test('grow while all is well', async () => {
    const { endpoints } = await setUp(limitedTo(1_000_000));
    for (let times = 0; times < 5; times += 1) await endpoints.use(read);
    expect(endpoints.report()[0]!.span).toBe(10_000);
  });

  test('become fewer when the answer takes too long', async () => {
    const { endpoints } = await setUp((body) =>
      (body as Asked).method === 'eth_getLogs' ? null : well(body),
    );
    await expect(endpoints.use(read)).rejects.toMatchObject({ kind: 'timeout' });
    expect(endpoints.report()[0]!.span).toBe(500);
  });

  test('are each endpoint’s own', async () => {
    const { endpoints, used } = await setUp(limitedTo(10), well);
    await endpoints.use(read);
    await used();
    expect(endpoints.report().map(({ span }) => span)).toEqual([expect.any(Number), 1_000]);
  });
});
