import { expect, test } from 'vitest';
import { inventedLog, type RpcLog } from '../../../../../test/chain/rpc-proxy.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { rawTransfers, transferOf } from './logs.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const token = address('a');
const tokens: ChainConfig['tokens'] = [{ asset: 'usdc-bep20', address: token, scale: 18, symbol: 'USDC' }];
const log = inventedLog({
  token,
  from: address('1'),
  to: address('2'),
  units: 5n,
  block: { number: 7n, hash: `0x${'b'.repeat(64)}` },
});
const [event, from, to] = log.topics as [Hex, Hex, Hex];
const read = (change: Partial<Record<keyof RpcLog, unknown>>) =>
  rawTransfers([[{ ...log, ...change }]], tokens).map(transferOf);

test('a log is read however its hex digits are written', () => {
  const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
  const written = { address: upper(token), topics: log.topics.map(upper), blockHash: upper(log.blockHash) };
  expect(read(written)).toEqual(read({}));
  expect(read({})).toMatchObject([{ token, from: address('1'), to: address('2'), units: 5n }]);
});

test.each<[string, Partial<Record<keyof RpcLog, unknown>>]>([
  ['of another token', { address: address('c'), data: '0x05', topics: [event] }],
  ['of another event', { topics: [`0x${'e'.repeat(64)}`] }],
  ['of an event without a name', { topics: [] }],
])('a log %s is left out', (_, change) => {
  expect(read(change)).toEqual([]);
});

test.each<[string, Partial<Record<keyof RpcLog, unknown>>]>([
  ['data without leading zeros', { data: '0x05' }],
  ['no data', { data: '0x' }],
  ['data of two words', { data: `${log.data}${'0'.repeat(64)}` }],
  ['data that is no text', { data: null }],
  ['an address without leading zeros among its topics', { topics: [event, from, address('2')] }],
  ['an address that is longer than one', { topics: [event, from, `0x1${to.slice(3)}`] }],
  ['one address alone', { topics: [event, from] }],
  ['a fourth topic', { topics: [event, from, to, to] }],
  ['an event that is no word', { topics: [event.slice(0, -2), from, to] }],
  ['no topics', { topics: undefined }],
  ['no address', { address: undefined }],
  ['a mark that it was removed', { removed: true }],
])('a log of a listed token with %s is a fault of its endpoint', (_, change) => {
  expect(() => read(change)).toThrow(RpcFault);
});

test('a log that is nothing is a fault of its endpoint', () => {
  for (const nothing of [null, 'log', 7]) expect(() => rawTransfers([[nothing]], tokens)).toThrow(RpcFault);
});
