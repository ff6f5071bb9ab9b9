import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openPayouts, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { endpointsThat } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { deployVault, reasonOf } from '../../../../test/chain/vault-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';
import { eventTopic, selector, word } from '../send/words.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20'] ?? (await deployOddToken(chain, 'PlainToken'));
const dollar = 10n ** 18n;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000_000n * dollar } });
await usdc.mint(vault.address, 1_000_000n * dollar);
let bench: PayoutBench;
let receivers: Hex[];

beforeEach(async () => {
  bench = await openPayouts(db, chain, vault, { rpcUrls: [chain.rpcUrl, `${chain.rpcUrl}/`] });
  receivers = Array.from({ length: 8 }, freshAddress);
});

function freshAddress(): Hex {
  return `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
}

type Log = { topics: Hex[]; data: Hex };

/** A sender to which both endpoints tell the logs of the vault in another way. */
function misled(told: (log: Log) => Log) {
  const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
    const answers = await ask();
    return answers.map((answer, at) =>
      calls[at]?.method === 'eth_getLogs' ? (answer as Log[]).map(told) : answer,
    );
  });
  return bench.sender({ endpoints: { ...bench.deps.endpoints, use } });
}
const refusedTopic = eventTopic('Refused(uint256,address,address,uint256,bytes4)');
const asRefused = ({ topics, data, ...log }: Log): Log => ({
  ...log,
  topics: [refusedTopic, ...topics.slice(1)],
  data: `${data}${reasonOf('TransferFailed').slice(2).padEnd(64, '0')}`,
});
const ofAnotherAmount = (log: Log): Log => ({ ...log, data: `0x${word(BigInt(log.data) + 1n)}` });
const toAnother = ({ topics, ...log }: Log): Log => ({
  ...log,
  topics: [...topics.slice(0, 3), `0x${word(freshAddress())}`],
});
const ofAnotherId = ({ topics, ...log }: Log): Log => ({
  ...log,
  topics: topics.map((topic, at): Hex => (at === 1 ? `0x${word(BigInt(topic) + 999n)}` : topic)),
});

describe('what the vault did, read wrong once', () => {
  test.each<[string, (log: Log) => Log]>([
    ['as refused', asRefused],
    ['with another amount', ofAnotherAmount],
    ['with another receiver', toAnother],
    ['with another id', ofAnotherId],
  ])('%s, is put right: all eight payouts have left', async (_, told) => {
    const ids = await bench.order(
      usdc,
      receivers.map((to) => ({ to, units: dollar })),
    );
    await bench.sender().tick();
    await bench.settle(misled(told));
    expect(ids.flatMap((id) => bench.storyOf(id)).includes('sent')).toBe(false);
    for (let count = 0; count < 4; count += 1) await bench.settle(bench.sender());
    expect(ids.map((id) => bench.storyOf(id).at(-1))).toEqual(ids.map(() => 'sent'));
    expect(await Promise.all(receivers.map((to) => usdc.balanceOf(to)))).toEqual(ids.map(() => dollar));
  });

  test('as the payment of an order that was not paid, is taken back', async () => {
    const [first = ''] = await bench.order(usdc, [{ to: receivers[0] ?? '0x', units: dollar }]);
    await bench.sender().tick();
    bench.stop.isStopped = true;
    const [second = ''] = await bench.order(usdc, [{ to: receivers[0] ?? '0x', units: dollar }]);
    const nextId = ({ topics, ...log }: Log): Log => ({
      ...log,
      topics: topics.map((topic, at): Hex => (at === 1 ? `0x${word(BigInt(topic) + 1n)}` : topic)),
    });
    await bench.settle(misled(nextId));
    expect(bench.storyOf(second)).toEqual(['sent']);
    await bench.settle(bench.sender());
    expect([bench.storyOf(first).at(-1), bench.storyOf(second).slice(0, 2)]).toEqual([
      'sent',
      ['sent', 'undone'],
    ]);
  });
});

test('that the token refuses it for good is agreed too: one endpoint alone ends no payout', async () => {
  const [id = ''] = await bench.order(usdc, [{ to: receivers[0] ?? '0x', units: dollar }]);
  await db.query('UPDATE evm_payouts SET was_refused = true');
  let liar = '';
  const pay = selector('pay(address,(uint256,address,uint256)[])');
  const refuses = `0x${word(32)}${word(1)}${reasonOf('TransferFailed').slice(2).padEnd(64, '0')}`;
  const { use } = bench.deps.endpoints;
  const sender = bench.sender({
    endpoints: {
      ...bench.deps.endpoints,
      use: (work, options) =>
        use((endpoint) => {
          liar ||= endpoint.name;
          if (endpoint.name !== liar) return work(endpoint);
          return work({
            ...endpoint,
            async batch(calls) {
              const answers = await endpoint.batch(calls);
              const isPay = ({ params }: { params: readonly unknown[] }) =>
                `${(params[0] as { data?: unknown } | undefined)?.data}`.startsWith(`0x${pay}`);
              return answers.map((answer, at) => {
                const call = calls[at];
                return call?.method === 'eth_call' && isPay(call) ? refuses : answer;
              });
            },
          });
        }, options),
    },
  });
  await sender.tick();
  expect(bench.storyOf(id)).toEqual(['waiting: The token does not pay exactly the amount']);
  for (let count = 0; count < 3; count += 1) await bench.settle(bench.sender());
  expect(bench.storyOf(id).at(-1)).toBe('sent');
});
