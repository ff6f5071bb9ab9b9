import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import { type Answered, type Asked, byMethod, startRpcServer } from '../../../../test/chain/rpc-server.ts';
import { agentOptions } from './post.ts';
import { createRpc, type RpcCall } from './rpc.ts';
import type { RpcFault } from './rpc-fault.ts';

const agent = new Agent(agentOptions);
const head = { method: 'eth_blockNumber', params: [] };
const chainId = { method: 'eth_chainId', params: [] };
const logs = (from: number, to: number) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }],
});
const well = byMethod({ eth_blockNumber: '0x10', eth_chainId: '0x38', eth_getLogs: [] });

function rpcAt(url: string, timeoutMs = 5_000) {
  return createRpc({ name: 'node.example #1', url, timeoutMs, agent });
}

/** The fault of a batch. */
async function faultOf(answer: Parameters<typeof startRpcServer>[0], calls: RpcCall[] = [head], path = '') {
  const { url } = await startRpcServer(answer);
  return (await rpcAt(url + path, 300)
    .batch(calls)
    .then(
      () => null,
      (error) => error,
    )) as RpcFault | null;
}

describe('a batch', () => {
  test('is one exchange, and its answers may come in any order', async () => {
    const server = await startRpcServer((body) => {
      const { body: replies } = well(body)!;
      return { body: (replies as unknown[]).toReversed() };
    });
    expect(await rpcAt(server.url).batch([head, chainId])).toEqual(['0x10', '0x38']);
    expect(server.asked).toHaveLength(1);
  });

  test('of one call is sent without a list around it', async () => {
    const server = await startRpcServer(well);
    expect(await rpcAt(server.url).batch([head])).toEqual(['0x10']);
    expect(server.asked[0]).toMatchObject({ method: 'eth_blockNumber' });
  });

  test('of nothing asks nothing', async () => {
    expect(await rpcAt('http://127.0.0.1:9').batch([])).toEqual([]);
  });

  test('keeps a result that is null: a block that is not there is an answer', async () => {
    const { url } = await startRpcServer(byMethod({ eth_getBlockByNumber: null, eth_chainId: '0x38' }));
    const block = { method: 'eth_getBlockByNumber', params: ['0x99', false] };
    expect(await rpcAt(url).batch([block, chainId])).toEqual([null, '0x38']);
  });

  test.each<[string, (body: Asked[]) => Answered]>([
    ['an error of its own', () => ({ body: { id: null, error: { code: -32600, message: 'no batches' } } })],
    ['an error in each answer', (body) => ({ body: body.map(({ id }) => tooManyInBatch(id)) })],
    ['a status', () => ({ status: 405, body: 'Method Not Allowed' })],
  ])('that a server refuses with %s is asked for call by call from then on', async (_, refuseBatch) => {
    const server = await startRpcServer((body) => (Array.isArray(body) ? refuseBatch(body) : well(body)));
    const rpc = rpcAt(server.url);
    expect(await rpc.batch([head, chainId])).toEqual(['0x10', '0x38']);
    expect(await rpc.batch([head, chainId])).toEqual(['0x10', '0x38']);
    expect(server.asked.filter(Array.isArray)).toHaveLength(1);
  });

  const tooManyInBatch = (id: number) => ({
    id,
    error: { code: 31, message: 'Batch of more than 1 requests are not allowed on the free tier' },
  });

  test('is sent again when its kept connection was closed', async () => {
    let dropped = 0;
    const { url } = await startRpcServer((body, request) => {
      if (dropped++ > 0) return well(body);
      request.socket.destroy();
      return null;
    });
    expect(await rpcAt(url).batch([head])).toEqual(['0x10']);
  });

  test('carries the name and password of an address in a header', async () => {
    let authorization: string | undefined;
    const { url } = await startRpcServer((body, request) => {
      authorization = request.headers.authorization;
      return well(body);
    });
    await rpcAt(url.replace('//', '//jane:p%40ss@')).batch([head]);
    expect(authorization).toBe(`Basic ${Buffer.from('jane:p@ss').toString('base64')}`);
  });
});

describe('a fault', () => {
  const status = (code: number, body: unknown, headers = {}) => ({ status: code, body, headers });
  const planned = { code: -32029, message: 'not in your plan' };
  const error = (code: number, message: string) => (body: Asked | Asked[]) => ({
    body: { id: (body as Asked).id, error: { code, message } },
  });

  test.each<[string, string, Parameters<typeof startRpcServer>[0]]>([
    ['rate_limited', '429 in HTML', () => status(429, '<html>slow down</html>')],
    [
      'rate_limited',
      'too many requests',
      error(-32005, 'daily request count exceeded, request rate limited'),
    ],
    ['rate_limited', 'compute units', error(429, 'exceeded its compute units per second capacity')],
    ['rate_limited', 'requests a second', error(-32007, '100/second request limit reached')],
    ['rate_limited', '429 with words of its own', () => status(429, { id: 1, error: planned })],
    ['unreachable', '403 with words of its own', () => status(403, { id: 1, error: planned })],
    ['unreachable', '502 of a proxy', () => status(502, '<html>Bad Gateway</html>')],
    [
      'unreachable',
      'an unhealthy back end',
      error(-32011, 'no backend is currently healthy to serve traffic'),
    ],
    ['unreachable', 'a key that is not known', () => status(401, '{"message":"unauthorized"}')],
    ['timeout', 'silence', () => null],
    ['timeout', 'a query that ran out of time', error(-32000, 'execution aborted (timeout = 5s)')],
    ['nonsense', 'a page', () => status(200, '<!doctype html><title>Welcome</title>')],
    ['nonsense', 'JSON that ends early', () => status(200, '{"jsonrpc":"2.0","id":1,"resu')],
    ['nonsense', 'JSON that is no answer', () => status(200, '{"hello":"world"}')],
    ['nonsense', 'the answer to another call', () => status(200, '{"id":77,"result":"0x1"}')],
    ['behind', 'a block that it does not have', error(-32000, 'header not found')],
    ['refused', 'a revert', error(3, 'execution reverted')],
    ['refused', 'an unknown method', error(-32601, 'the method does not exist')],
  ])('is %s for %s', async (kind, _, answer) => {
    expect(await faultOf(answer)).toMatchObject({ kind });
  });

  test.each([
    ['Infura', -32005, 'query returned more than 10000 results'],
    ['a BNB node', -32005, 'limit exceeded'],
    [
      'Alchemy',
      -32602,
      'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
    ],
    ['Alchemy for free', -32600, 'you can make eth_getLogs requests with up to a 10 block range'],
    ['Ankr', -32600, 'block range is too wide'],
    ['Polygon', -32005, 'Block range is too large'],
    ['PublicNode', -32701, 'exceed maximum block range: 50000'],
    ['QuickNode', -32614, 'eth_getLogs is limited to a 10,000 range'],
    ['reth', -32602, 'query exceeds max results 20000, retry with the range 1-2'],
    ['Nethermind', -32005, 'Too many logs requested. Max is 20000'],
    ['Base', -32020, 'backend response too large'],
  ])('is too_much for the words of %s', async (_, code, message) => {
    expect(await faultOf(error(code, message), [logs(1, 1000)])).toMatchObject({ kind: 'too_much' });
  });

  test('is a rate limit when a bare limit was met with one block', async () => {
    expect(await faultOf(error(-32005, 'limit exceeded'), [logs(7, 7)])).toMatchObject({
      kind: 'rate_limited',
    });
  });

  test('is too_much for status 413, where logs were asked for', async () => {
    expect(await faultOf(() => status(413, ''), [logs(1, 9)])).toMatchObject({ kind: 'too_much' });
  });

  test('of one call is the fault of its batch', async () => {
    const answer = byMethod({ eth_chainId: '0x38' });
    expect(await faultOf(answer, [chainId, head])).toMatchObject({ kind: 'refused' });
  });

  test('is nonsense when a batch leaves one call unanswered', async () => {
    const answer = (body: Asked | Asked[]) => well((body as Asked[]).slice(1));
    expect(await faultOf(answer, [chainId, head])).toMatchObject({ kind: 'nonsense' });
  });

  test('is unreachable where nothing listens', async () => {
    const server = await startRpcServer(well);
    server.close();
    await expect(rpcAt(server.url).batch([head])).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('tells for how long to wait', async () => {
    expect(await faultOf(() => status(429, '', { 'retry-after': '7' }))).toMatchObject({
      retryAfterMs: 7_000,
    });
  });

  test('names the host, and shows no key even when the provider repeats it', async () => {
    const key = 'a1b2c3d4e5f6';
    const fault = await faultOf(
      error(-32000, `the key ${key} is not known`),
      [head],
      `/v3/${key}?token=${key}`,
    );
    expect(fault!.message).toContain('node.example #1: eth_blockNumber: the key … is not known');
    expect(fault!.message).not.toContain(key);
  });
});
