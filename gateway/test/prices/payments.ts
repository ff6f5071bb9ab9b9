import type { CheckoutPayment } from '../../src/checkout/checkout-payment.ts';
import { pricedTroubles } from './troubles.ts';

const price = { amount: '49.9', currency: 'EUR', fee: '0', adjustment: 0 };
const quoted = { amount: '53.22', rate: '0.937576601052', at: '2026-11-20T17:52:00.000Z', sources: [] };

/** Payments of 49.90 EUR, by the name of the state: before the choice, chosen, part paid and paid. */
export function pricedPayments({
  linked,
  partPaid,
  completed,
}: Record<'linked' | 'partPaid' | 'completed', CheckoutPayment>) {
  const choices: CheckoutPayment['choices'] = [
    { asset: 'usdc-base', currency: 'USDC', amount: '53.22', rate: quoted.rate },
    { asset: 'usdc-bep20', currency: 'USDC', amount: '53.22', rate: quoted.rate },
    { asset: 'usdc-erc20', currency: 'USDC', amount: '53.22', rate: quoted.rate },
    { asset: 'usdt-bep20', currency: 'USDT', amount: '53.26', rate: '0.936912' },
    { asset: 'pi', currency: 'PI', amount: null, rate: null },
  ];
  const usdt = { ...linked.methods[1]!, method: 'usdt-bep20' };
  const wallet = linked.methods.filter(({ method }) => method === 'wallet');
  const onNetworks = linked.methods.filter(({ method }) => method !== 'wallet');
  const methods = [...onNetworks, usdt, { method: 'pi', network: 'Pi Network' }, ...wallet];
  const items = [
    { name: 'Ethiopia Guji, 250 g', price: 36.9, quantity: 1 },
    { name: 'Paper filters', price: 6.5, quantity: 2 },
  ];
  const inCoin = (payment: CheckoutPayment, received: string, missing: string): CheckoutPayment => ({
    ...payment,
    ...{ price, quote: { ...quoted, currency: 'USDC' }, choices, items, methods },
    ...{ amount: '53.22', fee: '0', amountDue: '53.22' },
    ...{ amountReceived: received, amountMissing: missing },
    transfers: payment.transfers.map((each) => ({ ...each, amount: received })),
    destinations: payment.destinations.map((each) => ({ ...each, amount: missing })),
  });
  const chosen = inCoin(linked, '0', '53.22');
  const paid: CheckoutPayment = { ...inCoin(completed, '53.22', '0'), choices: [] };
  const open: CheckoutPayment = {
    ...{ ...chosen, status: 'unlinked', method: null, destinations: [] },
    ...{ quote: null, currency: 'EUR', amount: '49.9', amountDue: '49.9', amountMissing: '0' },
  };
  const other = (amount: string, currency: string, rate: string): CheckoutPayment => ({
    ...chosen,
    price: { ...price, amount, currency },
    quote: { ...quoted, currency: 'USDC', rate },
    choices: choices.map((each) => ({ ...each, rate: each.amount && rate })),
    items: [],
  });
  return {
    'priced-open': open,
    'priced-open-fee': { ...open, feePayer: 'customer' },
    'priced-all': withEveryCoin(open),
    'priced-all-test': withEveryCoin({ ...open, mode: 'test' }),
    'priced-no-rate': { ...open, choices: choices.map((each) => ({ ...each, amount: null, rate: null })) },
    'priced-linked': chosen,
    'priced-linked-fee': {
      ...chosen,
      ...{ feePayer: 'customer', fee: '0.53', amountDue: '53.75', amountMissing: '53.75' },
      ...{ price: { ...price, fee: '0.5' } },
      destinations: chosen.destinations.map((each) => ({ ...each, amount: '53.75' })),
    },
    'priced-yen': other('7480', 'JPY', '140.548665'),
    'priced-dinar': other('16.25', 'KWD', '0.305336339722'),
    'priced-long': other('12345678901234.5', 'IDR', '231974424111.133784'),
    'priced-part-paid': inCoin(partPaid, '33.22', '20'),
    'priced-discount': withAdjustment(chosen, -200),
    'priced-discount-open': withAdjustment(open, -200),
    'priced-discount-paid': withAdjustment(inCoin(completed, '52.16', '0'), -200),
    'priced-surcharge': withAdjustment(chosen, 125),
    ...pricedTroubles({ open, chosen, partPaid: (...sums) => inCoin(partPaid, ...sums), paid }),
    'priced-expired': {
      ...{ ...open, status: 'cancelled', reason: 'abandoned', choices: [] },
      ...{ deadline: completed.createdAt, endedAt: completed.createdAt },
    },
    'priced-late': {
      ...{ ...paid, status: 'in-appeal', reason: 'late' },
      ...{ completedAt: null, endedAt: null, deadline: completed.createdAt, disputableUntil: null },
    },
    'priced-completed': paid,
    'priced-refunds': {
      ...paid,
      refunds: [
        {
          ...{ id: '0198c2a4-4444-7aaa-8bbb-222233334444', asset: 'usdc-base', network: 'Base' },
          ...{ currency: 'USDC', amount: '10.66', status: 'queued', memo: null, transaction: null },
          ...{ to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', explorerUrl: null },
        },
      ],
    },
  } satisfies Record<string, CheckoutPayment>;
}

/** The same payment where all coins are offered, each on all its networks; in test mode on test networks too. */
function withEveryCoin(open: CheckoutPayment): CheckoutPayment {
  const { methods, choices } = open;
  const evm = methods.find(({ method }) => method === 'usdc-base')?.evm;
  const chain = (method: string, network: string, isTest?: boolean) => ({
    ...{ method, network, ...(isTest && { isTest }) },
    ...(evm && (open.mode === 'live' || isTest) && { evm: { ...evm, chainName: network } }),
  });
  const wallet = methods.filter(({ method }) => method === 'wallet');
  const others = methods.filter(({ method }) => method !== 'wallet' && method !== 'pi');
  const offered = open.mode === 'live' ? others : others.map(({ method, network }) => ({ method, network }));
  const testnets = [
    chain('usdc-base-sepolia', 'Base Sepolia', true),
    chain('usdc-bsc-testnet', 'BNB Smart Chain Testnet', true),
  ];
  const usdc = { currency: 'USDC', amount: '53.22', rate: quoted.rate };
  return {
    ...open,
    methods: [
      ...offered.filter(({ method }) => method.startsWith('usdc')),
      chain('usdc-polygon', 'Polygon'),
      ...offered.filter(({ method }) => method.startsWith('usdt')),
      chain('usdt-polygon', 'Polygon'),
      { method: 'pi', network: 'Pi Network' },
      chain('csk-bep20', 'BNB Smart Chain'),
      ...wallet,
      ...(open.mode === 'test' ? testnets : []),
    ],
    choices: [
      ...choices.filter(({ asset }) => asset !== 'pi'),
      { ...usdc, asset: 'usdc-polygon' },
      { ...usdc, asset: 'usdt-polygon', currency: 'USDT' },
      { asset: 'pi', currency: 'PI', amount: '1234.5679', rate: '0.0404190' },
      { asset: 'csk-bep20', currency: 'CSK', amount: '4990', rate: '0.01' },
      ...testnets.map(({ method }) => ({ ...usdc, asset: method })),
    ],
  };
}

/** The same payment of 49.90 EUR where so many basis points are added to the price. */
function withAdjustment(payment: CheckoutPayment, adjustment: number): CheckoutPayment {
  const due = adjustment < 0 ? '52.16' : '53.89';
  const { quote } = payment;
  return {
    ...payment,
    price: { ...price, adjustment },
    ...(quote && { amount: due, amountDue: due, quote: { ...quote, amount: due } }),
    amountMissing: payment.status === 'linked' ? due : '0',
    choices: payment.choices.map((each) => ({ ...each, amount: each.amount && due })),
    destinations: payment.destinations.map((each) => ({ ...each, amount: due })),
  };
}
