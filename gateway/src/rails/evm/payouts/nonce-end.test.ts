import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openPayouts, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { type RpcFaults, startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { endpointsThat, transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20'] ?? (await deployOddToken(chain, 'PlainToken'));
const dollar = 10n ** 18n;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000_000n * dollar } });
await usdc.mint(vault.address, 1_000_000n * dollar);
const [liar, honest] = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
let bench: PayoutBench;
let to: Hex;

beforeEach(async () => {
  liar.mend();
  honest.mend();
  bench = await openPayouts(db, chain, vault, { rpcUrls: [liar.url, honest.url] });
  to = `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
});

/** A sender whose transactions reach no node. */
function unheard() {
  const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
    if (!calls.some(({ method }) => method === 'eth_sendRawTransaction')) return await ask();
    throw new RpcFault('refused', 'timeout');
  });
  return bench.sender({ endpoints: { ...bench.deps.endpoints, use } });
}

describe('a payout that is signed, and in no block,', () => {
  test.each<[string, Partial<RpcFaults>]>([
    ['counts its pool', { countsPool: true }],
    ['makes up that it failed', { failsAll: true }],
  ])('is neither free nor cancellable because one endpoint of two %s', async (_, lie) => {
    const [id = ''] = await bench.order(usdc, [{ to, units: dollar }]);
    const sender = unheard();
    await sender.tick();
    Object.assign(liar.faults, lie);
    for (let count = 0; count < 3; count += 1) await bench.settle(sender);
    expect([bench.storyOf(id), await bench.cancel(id)]).toEqual([['sending'], false]);
    liar.mend();
    for (let count = 0; count < 4; count += 1) await bench.settle(bench.sender());
    expect([bench.storyOf(id), await usdc.balanceOf(to)]).toEqual([['sending', 'sent'], dollar]);
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final' }]);
  });

  test('is queued again once both show that another program used its nonce', async () => {
    const [id = ''] = await bench.order(usdc, [{ to, units: dollar }]);
    const sender = unheard();
    await sender.tick();
    await chain.client.sendTransaction({
      ...{ account: bench.key.account, chain: null, to: bench.key.address, value: 0n, nonce: 0 },
      gas: 21_000n,
    });
    for (let count = 0; count < 4; count += 1) await bench.settle(bench.sender());
    expect(bench.storyOf(id).slice(0, 2)).toEqual([
      'sending',
      'waiting: Another program used the nonce of its transaction',
    ]);
  });
});
