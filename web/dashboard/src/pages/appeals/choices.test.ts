import { expect, test } from 'vitest';
import { choicesOf } from './choices.ts';
import type { Appeal, AssetAmount } from './queries.ts';
import type { Side } from './side.ts';

const usdc = (amount: string): AssetAmount => ({ asset: 'usdc-erc20', network: 'Ethereum', amount });
const nothing = {
  to_network: [],
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
  return: { ...nothing, refusal: null, to_network: [usdc('12.35')] },
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

test('the business accepts or gives back, and the operator decides disputes', () => {
  expect(labels('merchant', partPaid)).toEqual(['Accept what came', 'Give the money back']);
  expect(labels('operator', partPaid)).toEqual(['Give the money back']);
  expect(labels('merchant', disputed)).toEqual(['Give the money back']);
  expect(labels('operator', disputed)).toEqual(['Reject the dispute', 'Give the money back']);
});

test('after a reorg the business decides what becomes of what is left', () => {
  const reorg = appeal('reorg', partPaid.decisions);
  expect(labels('merchant', reorg)).toEqual(['Accept what is left', 'Give back what is left']);
  expect(labels('operator', reorg)).toEqual(['Give back what is left']);
});

test('rejecting a dispute says when some of its money has left its chain', () => {
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
    'The payment is completed, and your shop is told.',
  ]);
});

test('giving back says where the money goes, whose it was, and what is owed', () => {
  expect(choicesOf(side('merchant'), disputed)[0]?.effects).toEqual([
    '1,000 USDC on Ethereum goes back to the wallet that paid.',
    'Your balance gives 990 USDC on Ethereum.',
    'The fee of 10 USDC on Ethereum is given up.',
    'Your balance lacks 40 USDC on Ethereum: it is owed, and paid out of what is received next.',
    'The payment ends without a sale, and the shop hears that it was refunded.',
  ]);
  const empty = appeal('part_paid', { ...partPaid.decisions, return: { ...nothing, refusal: null } });
  expect(choicesOf(side('merchant'), empty)[1]?.effects[0]).toContain('nothing to give back');
});

test('a decision that cannot be made now says why', () => {
  const waiting = appeal('part_paid', {
    ...partPaid.decisions,
    return: { ...nothing, refusal: 'Some of the money is not final yet' },
  });
  expect(choicesOf(side('merchant'), waiting)[1]?.refusal).toBe('Some of the money is not final yet');
});
