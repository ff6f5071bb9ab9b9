import type { CheckoutPayment } from '../../src/checkout/checkout-payment.ts';
import type { ClaimDraft, OwedLine } from '../../src/checkout/owed.ts';

const refundId = '0198c2a4-5555-7aaa-8bbb-222233334444';

/** 10 EUR that a shop refunds of a payment of 49.90 EUR, and that its customer has to claim. */
const refundInEuros: OwedLine = {
  ...{
    refundId,
    asset: 'usdc-base',
    network: 'Base',
    currency: 'USDC',
    amount: '10.665795',
    units: 10_665_795n,
  },
  ...{ hasMemo: false, signers: [], belowMinimum: null, otherAddress: 'approved' },
};

/** The claim of it, as the page shows it once more. */
export const claimInEuros: ClaimDraft = {
  ...{ line: refundInEuros, to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', memo: '' },
  ...{ fault: null, isSender: false, isContract: false, proof: null },
};

type Parts = Record<'open' | 'chosen' | 'paid', CheckoutPayment> & {
  partPaid: (received: string, missing: string) => CheckoutPayment;
};

/** Payments of 49.90 EUR on which something is not as usual, by the name of the state. */
export function pricedTroubles({ open, chosen, paid, partPaid }: Parts) {
  const [transfer] = paid.transfers;
  const inUsdt = { asset: 'usdt-bep20', network: 'BNB Smart Chain', currency: 'USDT', amount: '53.26' };
  const byPi = { asset: 'pi', network: 'Pi Network', currency: 'PI', amount: '1234.5679' };
  const short = partPaid('52.82', '0.4');
  const tolerated = (isFinal: boolean) => ({ ...short, shortfall: { isTolerated: true, isFinal } });
  return {
    /** Its quote ends a minute from now. */
    'priced-ending': { ...chosen, deadline: new Date('2026-11-20T18:01:00Z') },
    /** One of its coins lost its rate before it was chosen. */
    'priced-lost-rate': {
      ...open,
      choices: open.choices.map((each) =>
        each.currency === 'USDT' ? { ...each, amount: null, rate: null } : each,
      ),
    },
    'priced-fee-kept': short,
    'priced-short': tolerated(false),
    'priced-enough': tolerated(true),
    'priced-wrong-token': {
      ...chosen,
      transfers: transfer ? [{ ...transfer, ...inUsdt }] : [],
      version: 3,
    },
    'priced-late-pi': {
      ...{ ...paid, status: 'in-appeal', reason: 'late', method: 'pi', currency: 'PI' },
      ...{ completedAt: null, endedAt: null, deadline: paid.createdAt, disputableUntil: null },
      ...{ amount: byPi.amount, amountDue: byPi.amount, amountReceived: byPi.amount },
      quote: paid.quote && { ...paid.quote, currency: 'PI', amount: byPi.amount, rate: '0.040419' },
      transfers: transfer ? [{ ...transfer, ...byPi, transaction: '5c2f1a9b4e7d60c3'.repeat(4) }] : [],
    },
    'priced-testnet': {
      ...{ ...chosen, mode: 'test', method: 'usdc-base-sepolia' },
      methods: chosen.methods.map(onTestnet),
      choices: chosen.choices.map((each) =>
        each.asset === 'usdc-base' ? { ...each, asset: 'usdc-base-sepolia' } : each,
      ),
      destinations: chosen.destinations.map((each) => ({
        ...{ ...each, asset: 'usdc-base-sepolia', network: 'Base Sepolia', isTest: true },
        ...(each.evm && { evm: { ...each.evm, chainName: 'Base Sepolia', chainId: 84532 } }),
      })),
    },
    'priced-owed': { ...paid, owed: [refundInEuros] },
  } satisfies Record<string, CheckoutPayment>;
}

/** The methods of test mode: simulated ones, and Base of a test network. */
function onTestnet({ method, network, evm }: CheckoutPayment['methods'][number]) {
  if (method !== 'usdc-base') return { method, network };
  return {
    ...{ method: 'usdc-base-sepolia', network: 'Base Sepolia', isTest: true },
    ...(evm && { evm: { ...evm, chainName: 'Base Sepolia', chainId: 84532 } }),
  };
}
