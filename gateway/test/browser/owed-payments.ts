import type { CheckoutPayment } from '../../src/checkout/checkout-payment.ts';
import type { ClaimDraft, OwedLine, RefundLine, RefundStatus } from '../../src/checkout/owed.ts';

const usdc = { asset: 'usdc-base', network: 'Base', currency: 'USDC' };
const sender = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

const overpayment: OwedLine = {
  ...usdc,
  refundId: null,
  amount: '4.5',
  units: 4_500_000n,
  hasMemo: false,
  signers: [sender.toLowerCase()],
  belowMinimum: null,
  otherAddress: 'accepted',
};

const inPi: OwedLine = {
  refundId: '0198c2a4-3333-7aaa-8bbb-222233334444',
  asset: 'pi',
  network: 'Pi Network',
  currency: 'PI',
  amount: '120',
  units: 1_200_000_000n,
  hasMemo: true,
  signers: [],
  belowMinimum: null,
  otherAddress: 'approved',
};

const refund = (status: RefundStatus, changes: Partial<RefundLine> = {}): RefundLine => ({
  ...usdc,
  id: `0198c2a4-2222-7aaa-8bbb-${status.padEnd(12, '0').slice(0, 12)}`,
  status,
  amount: '12.25',
  to: sender,
  memo: null,
  transaction: null,
  explorerUrl: null,
  ...changes,
});

/** Payments of which something is owed to the customer or goes back to them, by the name of the state. */
export function owedPayments(completed: CheckoutPayment) {
  const transaction = '0x5a1f2a7be04d6c58a3310f7d2b9e64c1a05f8837d1c2b4e69f70a8d3c5e1b299';
  const overpaid = { ...completed, amountReceived: '30', overpayment: '4.5' };
  return {
    'completed-owed': { ...overpaid, owed: [overpayment] },
    'completed-owed-little': { ...overpaid, owed: [{ ...overpayment, amount: '0.01', belowMinimum: '1' }] },
    'completed-owed-much': {
      ...completed,
      refunds: [refund('awaiting_destination', { id: inPi.refundId ?? '', to: null })],
      owed: [overpayment, inPi],
    },
    'completed-refunds': {
      ...overpaid,
      refunds: [
        refund('awaiting_approval'),
        refund('queued'),
        refund('sending', { memo: '10234567', transaction }),
        refund('completed', { transaction, explorerUrl: `https://explorer.example/tx/${transaction}` }),
        refund('failed'),
        refund('cancelled', { to: null }),
      ],
    },
  } satisfies Record<string, CheckoutPayment>;
}

const statement = `Send my refund to the address below.

Site: pay.example
Payment: PAY_01KSXV4P7Q2M8NB5 (0198c2a4-1111-7aaa-8bbb-000011112222)
Amount: 4.5 USDC on Base (usdc-base)
To: 0x90F79bf6EB2c4f870365E785982E1f101E93b906`;

const draft: ClaimDraft = {
  line: overpayment,
  to: sender,
  memo: '',
  fault: null,
  isSender: false,
  isContract: false,
  proof: null,
};

/** Claims of `completed-owed`, as the page shows them once more. */
export const CLAIMS = {
  'claim-right': draft,
  'claim-of-the-sender': { ...draft, isSender: true, isContract: true },
  'claim-to-confirm': { ...draft, line: inPi, to: `G${'ABCDEFG'.repeat(8)}`.slice(0, 56), memo: '10234567' },
  'claim-to-sign': {
    ...draft,
    line: { ...overpayment, otherAddress: 'approved' },
    to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    proof: { statement, signature: '', proved: null },
  },
  'claim-wrong': { ...draft, to: '0x71C7656EC7', fault: 'claim_address_invalid' },
} satisfies Record<string, ClaimDraft>;
