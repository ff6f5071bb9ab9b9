/** Why a statement or a path is refused. */
export type FaultCode =
  | 'form'
  | 'signature'
  | 'negative'
  | 'sum'
  | 'reserves'
  | 'derivation'
  | 'unsigned'
  | 'address_signature'
  | 'network'
  | 'block'
  | 'balance'
  | 'other_statement'
  | 'no_leaf'
  | 'leaf';

/** `why` is a sentence in English. */
export type ProofFault = { code: FaultCode; why: string };

export const fault = (code: FaultCode, why: string): ProofFault => ({ code, why });
