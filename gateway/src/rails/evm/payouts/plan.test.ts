import { expect, test } from 'vitest';
import type { Hex } from '../config/chains.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { balanceCall, word } from '../send/words.ts';
import { limitCall, vaultReads } from '../vault/reads.ts';
import type { Order } from './orders.ts';
import { type PlanFacts, planPayouts } from './plan.ts';

const vault: Hex = `0x${'7e'.repeat(20)}`;
const signer: Hex = `0x${'51'.repeat(20)}`;
const token: Hex = `0x${'70'.repeat(20)}`;

const orderOf = (vaultId: bigint, units: bigint): Order => ({
  ...{ id: `${vaultId}`, vaultId, asset: 'usdc-bep20', token, receiver: `0x${'a1'.repeat(20)}`, units },
  ...{ tries: 0, wasRefused: false },
});

/** An endpoint whose vault holds so much, and may still pay so much today; it would pay whatever it is asked. */
function endpointOf({ held, left }: { held: bigint; left: bigint }): Endpoint {
  const answers = new Map<string, string>([
    [vaultReads.signer, `0x${word(signer)}`],
    [vaultReads.paused, `0x${word(0)}`],
    [limitCall(token), `0x${word(left)}${word(left)}`],
    [balanceCall(vault), `0x${word(held)}`],
  ]);
  const paid = (data: string): string => {
    // The number of payouts is the third word of the call.
    const count = Number(BigInt(`0x${data.slice(2 + 8 + 128, 2 + 8 + 192)}`));
    return `0x${word(32)}${word(count)}${'ffffffff'.padEnd(64, '0').repeat(count)}`;
  };
  return {
    name: 'scripted',
    span: () => 1,
    batch: async (calls) =>
      calls.map(({ method, params }) => {
        if (method === 'eth_getCode') return '0x60';
        if (method === 'eth_estimateGas') return '0x5208';
        const { data } = params[0] as { data: string };
        return answers.get(data) ?? paid(data);
      }),
  };
}

async function plan(
  endpoint: Endpoint,
  units: readonly bigint[],
  onTheWay: bigint,
): Promise<{ goes: string[]; waits: string[] }> {
  const facts: PlanFacts = {
    chain: { tokens: [{ asset: 'usdc-bep20', address: token, scale: 0, symbol: null }] },
    ...{ vault, signer, room: 16 },
    orders: units.map((each, at) => orderOf(BigInt(at + 1), each)),
    onTheWay: new Map([[token, onTheWay]]),
  };
  const { batches, waiting } = await planPayouts(endpoint, facts);
  return {
    goes: batches.flatMap(({ orders }) => orders.map(({ id }) => id)),
    waits: waiting.flatMap(({ orders, why }) => orders.map(({ id }) => `${id}: ${why}`)),
  };
}

test('what the vault may still pay today counts without what is on the way', async () => {
  const endpoint = endpointOf({ held: 1_000n, left: 100n });
  const limited = 'The vault may pay out 100 usdc-bep20 more today: its limit is reached';
  expect(await plan(endpoint, [40n, 60n], 0n)).toEqual({ goes: ['1', '2'], waits: [] });
  expect(await plan(endpoint, [40n, 60n], 60n)).toEqual({ goes: ['1'], waits: [`2: ${limited}`] });
});

test('what the vault holds counts without what is on the way, and a smaller order passes a larger one', async () => {
  const endpoint = endpointOf({ held: 100n, left: 1_000n });
  const poor = 'The vault holds 100 usdc-bep20, which is too little';
  expect(await plan(endpoint, [70n, 30n], 0n)).toEqual({ goes: ['1', '2'], waits: [] });
  expect(await plan(endpoint, [70n, 30n], 60n)).toEqual({ goes: ['2'], waits: [`1: ${poor}`] });
});
