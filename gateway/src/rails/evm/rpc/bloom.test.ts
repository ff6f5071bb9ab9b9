import { expect, test } from 'vitest';
import { accounts, startChain } from '../../../../test/chain/chain.ts';
import type { Hex } from '../config/chains.ts';
import { topicOf, transferTopic } from '../scan/blocks/logs.ts';
import { bitsOf, bloomOf, mayHold, shareOfBitsSet } from './bloom.ts';

const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const payer = accounts.payer.address.toLowerCase() as Hex;
const receiver: Hex = `0x${'5a'.repeat(20)}`;

test('a bloom of a real block holds the token, the topic and both parties of its transfer, and nothing else', async () => {
  const { blockHash } = await local.mined(await usdc.send(receiver, 5n));
  const { logsBloom } = await local.client.getBlock({ blockHash });
  const bloom = bloomOf(logsBloom)!;
  const parts = [usdc.address, transferTopic, topicOf(payer), topicOf(receiver)] as const;
  const bits = new Set(parts.flatMap((part) => [...bitsOf(part)]));
  for (let bit = 0; bit < 2_048; bit += 1) expect([bit, mayHold(bloom, [bit])]).toEqual([bit, bits.has(bit)]);
  expect(shareOfBitsSet(bloom)).toBe(bits.size / 2_048);
  expect(mayHold(bloom, bitsOf(topicOf(accounts.stranger.address.toLowerCase() as Hex)))).toBe(false);
});

test('a bloom of a real block with three hundred transfers holds each of their receivers', async () => {
  const payments = Array.from({ length: 300 }, (_, at) => ({
    to: `0x${(at + 1).toString(16).padStart(40, '7')}` as Hex,
    units: 1n,
  }));
  // Three transactions in one block.
  await local.client.setAutomine(false);
  for (let at = 0; at < 300; at += 100) await usdc.sendMany(payments.slice(at, at + 100));
  await local.mine();
  await local.client.setAutomine(true);
  const { logsBloom } = await local.client.getBlock();
  const bloom = bloomOf(logsBloom)!;
  expect(payments.filter(({ to }) => !mayHold(bloom, bitsOf(topicOf(to))))).toEqual([]);
  expect(shareOfBitsSet(bloom)).toBeGreaterThan(0.3);
});

test('a block without logs has a bloom that holds nothing', async () => {
  await local.mine();
  const { logsBloom } = await local.client.getBlock();
  expect(shareOfBitsSet(bloomOf(logsBloom)!)).toBe(0);
});

test.each([undefined, null, 5, '0x', `0x${'0'.repeat(510)}`, `0x${'g'.repeat(512)}`, `0x${'F'.repeat(512)}`])(
  '%s is no bloom that says anything',
  (value) => expect(bloomOf(value)).toBeNull(),
);
