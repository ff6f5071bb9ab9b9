import { expect, test } from 'vitest';
import { nativeCoin } from '../send/words.ts';
import { transferTopic } from './blocks/logs.ts';
import { otherCoinsIn } from './other-coins.ts';

const ours = `0x${'ab'.repeat(20)}` as const;
const token = `0x${'cd'.repeat(20)}`;
const topicOf = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`;
const log = {
  address: token,
  topics: [transferTopic, topicOf(token), topicOf(ours)],
  data: `0x${'5'.padStart(64, '0')}`,
  blockHash: `0x${'1'.repeat(64)}`,
  blockNumber: '0x7',
  transactionHash: `0x${'2'.repeat(64)}`,
  logIndex: '0x63',
};
const read = (logs: unknown, transaction: unknown = null) =>
  otherCoinsIn({ transaction, logs, blockNumber: 7n }, new Set([ours]));

test('coins and tokens are found at their places in the receipt, whichever their block is', () => {
  const sent = { to: ours.toUpperCase().replace('0X', '0x'), value: '0x9' };
  expect(read([{ ...log, topics: [] }, log], sent)).toEqual([
    { place: 0, token: nativeCoin, address: ours, units: 9n, blockNumber: 7n },
    { place: 2, token, address: ours, units: 5n, blockNumber: 7n },
  ]);
});

test.each([
  ['no list', null],
  ['a log that is none', [null, 'log', {}]],
  ['an NFT, whose fourth topic is its number', [{ ...log, topics: [...log.topics, log.data] }]],
  ['an amount that is not padded', [{ ...log, data: '0x5' }]],
  [
    'a party that is no address',
    [{ ...log, topics: [transferTopic, log.data.replace('0x0', '0x1'), topicOf(ours)] }],
  ],
  ['nothing', [{ ...log, data: `0x${'0'.repeat(64)}` }]],
  ['a transfer to somebody else', [{ ...log, topics: [transferTopic, topicOf(ours), topicOf(token)] }]],
])('%s is passed over', (_, logs) => {
  expect(read(logs)).toEqual([]);
  expect(read([...(logs ?? []), log])).toHaveLength(1);
});

test('a token that fills a transaction with logs fills no list', () => {
  expect(read(Array.from({ length: 3_000 }, () => ({ ...log })))).toHaveLength(10);
});
