import { type OperationRecord, xdr } from '@stellar/stellar-sdk';

/** Result codes by the names that Horizon gives them; operations: null where none was looked at. */
export type Codes = { transaction: string; operations: string[] | null };

/** What an operation came to; `payload` is what the result carries besides its code. */
export type OperationOutcome = { code: string; payload?: object };

const transactionCodes = [
  'tx_success',
  'tx_failed',
  'tx_too_early',
  'tx_too_late',
  'tx_missing_operation',
  'tx_bad_seq',
  'tx_bad_auth',
  'tx_insufficient_balance',
  'tx_no_source_account',
  'tx_insufficient_fee',
  'tx_bad_auth_extra',
  'tx_internal_error',
  'tx_not_supported',
];
// What may be wrong with any operation.
const outerCodes = ['op_inner', 'op_bad_auth', 'op_no_source_account', 'op_not_supported'];
const paymentCodes = [
  'op_success',
  'op_malformed',
  'op_underfunded',
  'op_src_no_trust',
  'op_src_not_authorized',
  'op_no_destination',
  'op_no_trust',
  'op_not_authorized',
  'op_line_full',
  'op_no_issuer',
];
const pathCodes = [...paymentCodes, 'op_too_few_offers', 'op_cross_self'];

/** An operation as XDR and Horizon know it; its codes count down from 0. */
export type OperationKind = { type: number; name: string; result: string; codes: string[] };

export const operationKinds: Readonly<Partial<Record<OperationRecord['type'], OperationKind>>> = {
  createAccount: {
    type: 0,
    name: 'create_account',
    result: 'createAccountResult',
    codes: ['op_success', 'op_malformed', 'op_underfunded', 'op_low_reserve', 'op_already_exists'],
  },
  payment: { type: 1, name: 'payment', result: 'paymentResult', codes: paymentCodes },
  pathPaymentStrictReceive: {
    type: 2,
    name: 'path_payment_strict_receive',
    result: 'pathPaymentStrictReceiveResult',
    codes: [...pathCodes, 'op_over_source_max'],
  },
  changeTrust: {
    type: 6,
    name: 'change_trust',
    result: 'changeTrustResult',
    codes: ['op_success', 'op_malformed', 'op_no_issuer', 'op_invalid_limit', 'op_low_reserve'],
  },
  accountMerge: {
    type: 8,
    name: 'account_merge',
    result: 'accountMergeResult',
    codes: [
      'op_success',
      'op_malformed',
      'op_no_account',
      'op_immutable_set',
      'op_has_sub_entries',
      'op_seq_num_too_far',
      'op_dest_full',
    ],
  },
  manageData: {
    type: 10,
    name: 'manage_data',
    result: 'manageDataResult',
    codes: ['op_success', 'op_not_supported_yet', 'op_data_name_not_found', 'op_low_reserve'],
  },
  bumpSequence: {
    type: 11,
    name: 'bump_sequence',
    result: 'bumpSeqResult',
    codes: ['op_success', 'op_bad_seq'],
  },
  pathPaymentStrictSend: {
    type: 13,
    name: 'path_payment_strict_send',
    result: 'pathPaymentStrictSendResult',
    codes: [...pathCodes, 'op_under_dest_min'],
  },
};

const blankPath = {
  success: {
    offers: [],
    last: { destination: { type: 0, ed25519: new Uint8Array(32) }, asset: { type: 0 }, amount: 0n },
  },
};
// What the network says of operations that were fit and never applied, since another one was not.
const blanks: Readonly<Partial<Record<OperationRecord['type'], object>>> = {
  accountMerge: { sourceAccountBalance: 0n },
  pathPaymentStrictReceive: blankPath,
  pathPaymentStrictSend: blankPath,
};

type ResultWire = Parameters<typeof xdr.TransactionResult.fromXdrObject>[0];

/** The result as XDR in base 64: what the network itself says of a transaction. */
export function resultXdr(
  feeCharged: bigint,
  code: string,
  operations: { type: OperationRecord['type']; outcome: OperationOutcome }[],
): string {
  const results = operations.map(({ type, outcome }) => operationWire(type, outcome));
  const carries = code === 'tx_success' || code === 'tx_failed';
  // Plain objects as the library encodes them: it checks their shapes as it does.
  const result = { code: below(transactionCodes, code), ...(carries && { results }) } as ResultWire['result'];
  return xdr.TransactionResult.fromXdrObject({ feeCharged, result, ext: { v: 0 } }).toXdr('base64');
}

function operationWire(type: OperationRecord['type'], { code, payload }: OperationOutcome): object {
  if (outerCodes.includes(code)) return { code: below(outerCodes, code) };
  const kind = operationKinds[type]!;
  const carried = code === 'op_success' ? (payload ?? blanks[type]) : {};
  return { code: 0, tr: { type: kind.type, [kind.result]: { code: below(kind.codes, code), ...carried } } };
}

function below(codes: string[], code: string): number {
  const at = codes.indexOf(code);
  if (at < 0) throw new Error(`${code} is no code of this result`);
  return 0 - at;
}
