import { expect, test } from 'vitest';
import type { Hex } from '../config/chains.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { payoutTopics, vaultEvents } from './calls.ts';

const vault: Hex = `0x${'a'.repeat(40)}`;
const word = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;
const log = {
  address: vault,
  topics: [payoutTopics[0], word('7'), word('b'.repeat(40)), word('c'.repeat(40))],
  data: word('5'),
  blockNumber: '0x1',
  blockHash: word('d'),
  transactionHash: word('e'),
  logIndex: '0x0',
};
const read = (change: Partial<Record<keyof typeof log, unknown>>) =>
  vaultEvents([{ ...log, ...change }], vault);

test('the event of a payout is read however its hex digits are written', () => {
  const topics = log.topics.map((topic) => `0x${topic?.slice(2).toUpperCase()}`);
  expect(read({ topics, address: `0x${'A'.repeat(40)}` })).toEqual(read({}));
  expect(read({})).toMatchObject([{ kind: 'paid', vaultId: 7n, units: 5n }]);
});

test('what another contract says is left out, and so is what the vault says of other things', () => {
  expect(read({ address: `0x${'f'.repeat(40)}`, topics: [] })).toEqual([]);
  expect(read({ topics: [word('9')] })).toEqual([]);
});

test.each<[string, Partial<Record<keyof typeof log, unknown>>]>([
  ['without its topics', { topics: undefined }],
  ['with too few topics', { topics: log.topics.slice(0, 3) }],
  ['whose name is no word', { topics: ['0x9', ...log.topics.slice(1)] }],
  ['whose units are no word', { data: '0x05' }],
  ['of no contract', { address: null }],
])('an event %s is a fault of its endpoint', (_, change) => {
  expect(() => read(change)).toThrow(RpcFault);
});
