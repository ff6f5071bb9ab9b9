import { describe, expect, test } from 'vitest';
import { nextStep } from './next-step.ts';
import { nextNonce, type UnderWay } from './under-way.ts';
import type { Receipt, View } from './view.ts';

const sent: UnderWay = {
  id: 't',
  sender: '0xaa',
  nonce: 5,
  token: '0x1',
  treasury: '0x2',
  owners: ['p'],
  units: 1n,
  gasLimit: 1n,
  state: 'sent',
  hash: null,
  minedAt: null,
  overtakenAt: null,
  fault: null,
  isRival: false,
  attempts: ['0xf1', '0xf2'].map((hash) => ({
    hash: hash as '0xf1',
    signed: '0x',
    fees: { maxFee: 1n, tip: 1n },
    createdAt: new Date(0),
  })),
};
const receipt: Receipt = {
  hash: '0xf1',
  blockNumber: 90n,
  succeeded: true,
  gasUsed: 1n,
  gasPrice: 1n,
  logs: [],
};
const view = (count: number, final: bigint, mined: boolean): View => ({
  head: 100n,
  final,
  counts: new Map([['0xaa', count]]),
  pending: count,
  receipts: new Map(mined ? [['0xf1', receipt]] : []),
});

describe('a transaction under way', () => {
  const mined: UnderWay = { ...sent, state: 'mined', hash: '0xf1', minedAt: 90n };
  const far: UnderWay = { ...mined, minedAt: 101n };
  const other: UnderWay = { ...mined, hash: '0xf2' };
  const rival: UnderWay = { ...sent, isRival: true };
  const overtaken: UnderWay = { ...sent, overtakenAt: 95n };

  test.each<[string, UnderWay, View, boolean, string]>([
    ['without a receipt is sent again', sent, view(5, 80n, false), false, 'send'],
    ['that was never sent is sent', { ...sent, state: 'prepared' }, view(5, 80n, false), true, 'send'],
    ['that is stuck is replaced', sent, view(5, 80n, false), true, 'replace'],
    ['whose nonce another one of ours has now is left to it', rival, view(5, 80n, false), true, 'wait'],
    ['that waits for one before it is not', sent, view(4, 80n, false), true, 'send'],
    ['with a receipt is mined, whichever attempt it is of', sent, view(6, 80n, true), true, 'mined'],
    ['that is known to be mined waits for its block to be final', mined, view(6, 89n, true), false, 'wait'],
    ['whose block is final is settled', mined, view(6, 90n, true), false, 'final'],
    ['of which now another attempt is mined is that one', other, view(6, 80n, true), false, 'mined'],
    ['whose receipt is gone is no longer mined', mined, view(5, 80n, false), false, 'unmined'],
    ['is still mined where an endpoint lags behind its block', far, view(5, 80n, false), true, 'wait'],
    ['whose nonce another one used is overtaken', sent, view(6, 80n, false), false, 'overtaken'],
    ['is believed to be replaced only once that is final', overtaken, view(6, 94n, false), false, 'wait'],
    ['is then replaced', overtaken, view(6, 95n, false), false, 'replaced'],
    [
      'is no longer overtaken when a reorg gave the nonce back',
      overtaken,
      view(5, 95n, false),
      true,
      'not overtaken',
    ],
  ])('%s', (_, each, seen, isStuck, kind) => {
    expect(nextStep(each, seen, isStuck).kind).toBe(kind);
  });
});

test('the next nonce is the lowest that is free, of the same key alone', () => {
  const at = (nonce: number, sender: UnderWay['sender'] = '0xaa'): UnderWay => ({ ...sent, nonce, sender });
  expect(nextNonce(5, '0xaa', [])).toBe(5);
  expect(nextNonce(5, '0xaa', [at(5), at(6)])).toBe(7);
  expect(nextNonce(5, '0xaa', [at(6), at(5, '0xbb')])).toBe(5);
});
