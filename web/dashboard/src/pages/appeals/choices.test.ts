import { expect, test } from 'vitest';
import { choicesOf } from './choices.ts';
import type { Appeal, AssetAmount } from './queries.ts';
import type { Side } from './side.ts';

const usdc = (amount: string): AssetAmount => ({ asset: 'usdc-erc20', network: 'Ethereum', amount });
const nothing = {
  to_wallet: [],
  owed: [],
  from_business: [],
  shortage: [],
  fee_given_up: [],
};
const side = (as: Side['as']): Side => ({ as, base: '', mayAnswer: true, mayDecide: true, changes: [] });
const appeal = (reason: Appeal['reason'], decisions: Appeal['decisions']) =>
  ({ reason, decisions }) as Appeal;

const partPaid = appeal('part_paid', {
  accept: { refusal: null, receives: [usdc('12.2265')], fee: [usdc('0.1235')], surplus: [] },
  return: { ...nothing, refusal: null, owed: [usdc('12.35')] },
  reject: null,
});
const disputed = appeal('disputed', {
  accept: null,
  return: {
    ...nothing,
    refusal: null,
    to_wallet: [usdc('1000')],
    from_business: [usdc('990')],
    shortage: [usdc('40')],
    fee_given_up: [usdc('10')],
  },
  reject: { refusal: null, left: null },
});

const labels = (as: Side['as'], about: Appeal) => choicesOf(side(as), about).map(({ label }) => label);

test('the business accepts or refunds, and the operator decides what a customer disputes', () => {
  expect(labels('merchant', partPaid)).toEqual(['Accept what was received', 'Refund the customer']);
  expect(labels('operator', partPaid)).toEqual(['Refund the customer']);
  expect(labels('merchant', disputed)).toEqual(['Refund the customer']);
  expect(labels('operator', disputed)).toEqual(['Reject the appeal', 'Refund the customer']);
});

test('after a reorg the business decides what becomes of what is left', () => {
  const reorg = appeal('reorg', partPaid.decisions);
  expect(labels('merchant', reorg)).toEqual(['Accept what is left', 'Refund what is left']);
  expect(labels('operator', reorg)).toEqual(['Refund what is left']);
});

test('rejecting an appeal says when some of its money has left its chain', () => {
  const { receives, fee, surplus } = partPaid.decisions.accept!;
  const left = { receives, fee, surplus };
  const shrunk = appeal('disputed', { ...disputed.decisions, reject: { refusal: null, left } });
  expect(choicesOf(side('operator'), shrunk)[0]?.effects[0]).toBe(
    'Some of the money has left its chain. The business receives what is left: 12.2265 USDC on Ethereum, after a fee of 0.1235 USDC on Ethereum.',
  );
});

test('accepting says what is received, and after which fee', () => {
  expect(choicesOf(side('merchant'), partPaid)[0]?.effects).toEqual([
    'You receive 12.2265 USDC on Ethereum, after a fee of 0.1235 USDC on Ethereum.',
    'The payment is completed, and your shop gets a webhook.',
  ]);
});

test('refunding says where the money goes, which balance pays, and what is owed', () => {
  expect(choicesOf(side('merchant'), disputed)[0]?.effects).toEqual([
    '1,000.00 USDC on Ethereum is refunded to the wallet that paid.',
    '990.00 USDC on Ethereum is taken from your balance.',
    'The fee of 10.00 USDC on Ethereum is not charged.',
    '40.00 USDC on Ethereum of that is missing: you owe it, and what comes next pays it first.',
    'The payment ends without a sale, and the shop gets a webhook when a refund has left.',
  ]);
  const empty = appeal('part_paid', { ...partPaid.decisions, return: { ...nothing, refusal: null } });
  expect(choicesOf(side('merchant'), empty)[1]?.effects[0]).toContain('nothing to refund');
});

test('a decision that cannot be made now says why', () => {
  const waiting = appeal('part_paid', {
    ...partPaid.decisions,
    return: { ...nothing, refusal: 'Some of the money is not final yet' },
  });
  expect(choicesOf(side('merchant'), waiting)[1]?.refusal).toBe('Some of the money is not final yet');
});
