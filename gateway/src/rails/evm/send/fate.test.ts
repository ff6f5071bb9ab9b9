import { describe, expect, test } from 'vitest';
import type { Hex } from '../config/chains.ts';
import { hexNumber } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { readFate } from './fate.ts';
import type { UnderWay } from './under-way.ts';

const chain = { id: 56, finality: 'confirmations', confirmations: 3 } as const;
const hash: Hex = '0xf1';
const sent: UnderWay = {
  ...{ id: 't', sender: '0xaa', nonce: 5, token: '0x1', treasury: '0x2', owners: ['p'], units: 1n },
  ...{
    gasLimit: 1n,
    state: 'sent',
    hash: null,
    minedAt: null,
    overtakenAt: null,
    fault: null,
    isRival: false,
  },
  attempts: [{ hash, signed: '0x', fees: { maxFee: 1n, tip: 1n }, createdAt: new Date(0) }],
};

/** An endpoint at block 100, of which 98 is final: it has the transaction in a block, and such a count up to the final one. */
function endpointOf({ block = null, count = 5 }: { block?: bigint | null; count?: number }): Endpoint {
  const receipt = block !== null && {
    ...{ transactionHash: hash, blockNumber: hexNumber(block), status: '0x1', gasUsed: '0x1', logs: [] },
  };
  const answers: Record<string, unknown> = {
    eth_blockNumber: hexNumber(100n),
    eth_getTransactionReceipt: receipt || null,
    eth_getTransactionCount: hexNumber(BigInt(count)),
  };
  return {
    name: 'scripted',
    span: () => 1,
    batch: async (calls) => calls.map(({ method }) => answers[method]),
  };
}

describe('what became of a nonce', () => {
  test('is the transaction in a final block', async () => {
    const mined = { kind: 'mined', hash, blockNumber: 98n, succeeded: true };
    expect(await readFate(endpointOf({ block: 98n }), chain, sent, 98n)).toEqual(mined);
  });

  test('is open while its block is not final at this endpoint', async () => {
    expect(await readFate(endpointOf({ block: 99n }), chain, sent, 98n)).toEqual({ kind: 'open' });
  });

  test('is another transaction once that has used it up to the final block', async () => {
    expect(await readFate(endpointOf({ count: 6 }), chain, sent, 98n)).toEqual({ kind: 'replaced' });
    expect(await readFate(endpointOf({ count: 5 }), chain, sent, 98n)).toEqual({ kind: 'open' });
  });

  test('is not said by an endpoint that has not come so far', async () => {
    await expect(readFate(endpointOf({ block: 98n }), chain, sent, 99n)).rejects.toThrow(
      'has no final block 99 yet',
    );
  });
});
