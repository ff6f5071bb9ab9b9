import type { CheckoutPayment, CheckoutTransfer } from '../../src/checkout/checkout-payment.ts';
import { base, bnbChain, demoChain } from '../chain/evm-targets.ts';
import { piPayments } from '../pi/payments.ts';
import { pricedPayments } from '../prices/payments.ts';
import { owedPayments } from './owed-payments.ts';
import { latePayments, notShort, shortPayments } from './short-payments.ts';

/** Payments for tests, one for each state of the page. All of them are seen at {@link NOW}. */
export const NOW = new Date('2026-11-20T18:00:00Z');

const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

const TRANSFER: CheckoutTransfer = {
  transaction: '0x9c1f2a7be04d6c58a3310f7d2b9e64c1a05f8837d1c2b4e69f70a8d3c5e1b264',
  ...{ asset: 'usdc-base', network: 'Base', currency: 'USDC', amount: '25.5' },
  sender: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  explorerUrl:
    'https://explorer.example/tx/0x9c1f2a7be04d6c58a3310f7d2b9e64c1a05f8837d1c2b4e69f70a8d3c5e1b264',
  confirmations: 1,
  needed: 3,
  seenAt: inMinutes(-2),
  state: 'seen',
};

const WAITING: CheckoutPayment = {
  id: '0198c2a4-7d31-7c60-9f0e-5b1d2c3a4e5f',
  reference: 'PAY_1K2M3N4P7QRSTVWXYZ0123456789',
  token: 'b7Qm2xV9TzK4nR8sLw3YcA',
  integration: {
    id: '0198c2a4-1111-7aaa-8bbb-222233334444',
    name: 'Acme Coffee Roasters',
    logoUrl: null,
    domain: null,
    contact: { email: 'help@acme-coffee.example', url: 'https://acme-coffee.example/help' },
    ...{ color: null, sentence: null, pageDomain: null },
    letterhead: { address: '12 Roast Street\n10115 Berlin', taxNumber: 'DE 123456789' },
  },
  mode: 'live',
  status: 'unlinked',
  reason: null,
  currency: 'USDC',
  amount: '25.5',
  ...{ price: null, quote: null, choices: [] },
  fee: '0.255',
  feePayer: 'merchant',
  amountDue: '25.5',
  amountReceived: '0',
  isDust: false,
  amountMissing: '25.5',
  overpayment: '0',
  ...notShort,
  items: [
    { name: 'Ethiopia Guji, 250 g', price: 12.5, quantity: 1 },
    { name: 'Paper filters', price: 6.5, quantity: 2 },
  ],
  method: null,
  methods: [
    { method: 'usdc-base', network: 'Base', evm: base },
    { method: 'usdc-bep20', network: 'BNB Smart Chain', evm: bnbChain },
    {
      method: 'usdc-erc20',
      network: 'Ethereum',
      evm: { ...base, chainId: 1, chainName: 'Ethereum', confirmations: 64, blockSeconds: 12 },
    },
    { method: 'wallet', network: '' },
  ],
  wallet: { name: 'Florin', attempt: null },
  destinations: [],
  transfers: [],
  createdAt: inMinutes(-8),
  deadline: inMinutes(52),
  completedAt: null,
  endedAt: null,
  lateUntil: null,
  unreadable: [],
  isUnread: false,
  disputableUntil: null,
  successUrl: 'https://shop.example/thanks?order=1001',
  failureUrl: 'https://shop.example/basket',
  messages: [],
  disputeText: null,
  refunds: [],
  owed: [],
  stepsAhead: 0,
  version: 1,
};

const LINKED: CheckoutPayment = {
  ...WAITING,
  status: 'linked',
  method: 'usdc-base',
  destinations: [
    {
      asset: 'usdc-base',
      network: 'Base',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      memo: null,
      amount: '25.5',
      evm: base,
    },
  ],
  version: 2,
};

const TEST: CheckoutPayment = {
  ...LINKED,
  mode: 'test',
  methods: LINKED.methods.map(({ method, network }) => ({ method, network })),
  destinations: LINKED.destinations.map(({ evm: _, ...simulated }) => ({
    ...simulated,
    address: 'test_1k2m3n4p7qrstvwxyz0123456789',
  })),
};

const PENDING: CheckoutPayment = {
  ...LINKED,
  status: 'pending',
  destinations: [],
  transfers: [TRANSFER],
  amountReceived: '25.5',
  amountMissing: '0',
  version: 3,
};

const PART_PAID: CheckoutPayment = {
  ...LINKED,
  status: 'pending',
  transfers: [{ ...TRANSFER, amount: '10.25', confirmations: 3, state: 'final' }],
  destinations: LINKED.destinations.map((destination) => ({ ...destination, amount: '15.25' })),
  amountReceived: '10.25',
  amountMissing: '15.25',
  version: 4,
};

/** An amount that uses all 18 decimals of its token, on the demo chain. */
const DEMO: CheckoutPayment = {
  ...LINKED,
  amountDue: '25.500000000000000001',
  amountMissing: '25.500000000000000001',
  method: 'usdc-bep20',
  methods: [
    { method: 'usdc-bep20', network: 'Florin demo chain', evm: demoChain },
    { method: 'wallet', network: '' },
  ],
  destinations: [
    {
      asset: 'usdc-bep20',
      network: 'Florin demo chain',
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      memo: null,
      amount: '25.500000000000000001',
      evm: demoChain,
    },
  ],
};

const WRONG_TOKEN: CheckoutTransfer = {
  ...TRANSFER,
  ...{ asset: 'usdt-bep20', network: 'BNB Smart Chain' },
  currency: 'USDT',
  amount: '10',
  confirmations: 3,
  state: 'final',
};

const COMPLETED: CheckoutPayment = {
  ...PENDING,
  status: 'completed',
  transfers: [{ ...TRANSFER, confirmations: 3, state: 'final' }],
  completedAt: inMinutes(-1),
  endedAt: inMinutes(-1),
  disputableUntil: inMinutes(30 * 24 * 60),
  version: 5,
};

const EXPIRED: CheckoutPayment = {
  ...WAITING,
  status: 'cancelled',
  reason: 'abandoned',
  deadline: inMinutes(-5),
  endedAt: inMinutes(-5),
  lateUntil: inMinutes(24 * 60),
  version: 3,
};

const DISPUTED: CheckoutPayment = {
  ...COMPLETED,
  ...{ status: 'in-appeal', reason: 'disputed', endedAt: null },
  disputeText: 'The filters are missing.',
};

/** A payment for every state of the page, by the name of the state. */
export const PAYMENTS = {
  waiting: WAITING,
  'waiting-test': { ...WAITING, mode: 'test', methods: TEST.methods },
  'waiting-fee': { ...WAITING, feePayer: 'customer', amountDue: '25.755', amountMissing: '25.755' },
  'waiting-without-method': { ...WAITING, methods: [] },
  linked: LINKED,
  'linked-test': TEST,
  'linked-demo': DEMO,
  'linked-wrong-token': { ...LINKED, transfers: [WRONG_TOKEN], version: 3 },
  ...piPayments(LINKED),
  wallet: { ...LINKED, method: 'wallet', destinations: [] },
  'wallet-test': { ...TEST, method: 'wallet', destinations: [] },
  seen: PENDING,
  'part-paid': PART_PAID,
  'part-paid-by-itself': {
    ...PART_PAID,
    method: null,
    destinations: [
      ...PART_PAID.destinations,
      {
        asset: 'usdc-bep20',
        network: 'BNB Smart Chain',
        address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        memo: null,
        amount: '15.25',
        evm: bnbChain,
      },
    ],
  },
  'linked-without-network': { ...LINKED, destinations: [], methods: [{ method: 'wallet', network: '' }] },
  'part-paid-without-network': { ...PART_PAID, destinations: [] },
  'part-gone': {
    ...LINKED,
    status: 'pending',
    transfers: [{ ...TRANSFER, confirmations: 0, state: 'gone' }],
    version: 4,
  },
  'part-paid-test': {
    ...PART_PAID,
    mode: 'test',
    methods: TEST.methods,
    destinations: TEST.destinations.map((destination) => ({
      ...destination,
      amount: PART_PAID.amountMissing,
    })),
  },
  overpaid: {
    ...PENDING,
    amountReceived: '30',
    overpayment: '4.5',
    transfers: [{ ...TRANSFER, amount: '30' }],
  },
  ...latePayments({ pending: PENDING, partPaid: PART_PAID, completed: COMPLETED }, inMinutes),
  expired: EXPIRED,
  unread: { ...LINKED, isUnread: true, deadline: inMinutes(-5) },
  'unread-part': { ...PART_PAID, isUnread: true, deadline: inMinutes(-5) },
  failed: { ...WAITING, status: 'failed', reason: 'simulated', endedAt: inMinutes(-1), version: 3 },
  'failed-dropped': {
    ...WAITING,
    status: 'failed',
    reason: 'reorg',
    endedAt: inMinutes(-30),
    transfers: [{ ...TRANSFER, confirmations: 0, state: 'gone' }],
    version: 5,
  },
  cancelled: { ...WAITING, status: 'cancelled', reason: 'customer', endedAt: inMinutes(-1), version: 3 },
  'cancelled-by-merchant': {
    ...WAITING,
    ...{ status: 'cancelled', reason: 'merchant', version: 3 },
    endedAt: inMinutes(-30),
  },
  returned: { ...PENDING, status: 'cancelled', reason: 'returned', endedAt: inMinutes(-1), version: 6 },
  'in-appeal': { ...PART_PAID, status: 'in-appeal', reason: 'part_paid', destinations: [] },
  'in-appeal-disputed': DISPUTED,
  'in-appeal-answered': {
    ...DISPUTED,
    messages: [
      { author: 'customer', text: 'The filters are missing.\nCan you send them?', at: inMinutes(-3) },
      { author: 'merchant', text: 'They leave the roastery tomorrow.', at: inMinutes(-2) },
      { author: 'operator', text: 'Please tell us when they have arrived.', at: inMinutes(-1) },
    ],
  },
  completed: COMPLETED,
  'completed-wrong-token': { ...COMPLETED, transfers: [...COMPLETED.transfers, WRONG_TOKEN] },
  'completed-overpaid': { ...COMPLETED, amountReceived: '30', overpayment: '4.5' },
  ...shortPayments(PART_PAID, COMPLETED),
  ...owedPayments(COMPLETED),
  ...pricedPayments({ linked: LINKED, partPaid: PART_PAID, completed: COMPLETED }),
} satisfies Record<string, CheckoutPayment>;

export type PaymentName = keyof typeof PAYMENTS;
