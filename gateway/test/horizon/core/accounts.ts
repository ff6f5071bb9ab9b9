import { type AssetName, issuerOf, largest, native } from './amounts.ts';

export type Trust = { readonly units: bigint; readonly limit: bigint };

export type Account = {
  readonly id: string;
  /** Of the network's own coin. */
  readonly units: bigint;
  readonly sequence: bigint;
  readonly trust: Readonly<Record<AssetName, Trust>>;
  /** Values of manage_data in base 64. */
  readonly data: Readonly<Record<string, string>>;
  /** Ledger of the last change, and of the last transaction of its own. */
  readonly changedIn: number;
  readonly sequenceIn: number | null;
};

/** Accounts with changes over them that may still be given up. */
export type Draft = {
  get(id: string): Account | null;
  set(account: Account): void;
  remove(id: string): void;
  readonly changes: ReadonlyMap<string, Account | null>;
};

export function draftOver(base: Pick<Draft, 'get'>): Draft {
  const changes = new Map<string, Account | null>();
  return {
    changes,
    get: (id) => (changes.has(id) ? changes.get(id)! : base.get(id)),
    set: (account) => void changes.set(account.id, account),
    remove: (id) => void changes.set(id, null),
  };
}

export function keep(draft: Draft, base: Draft): void {
  for (const [id, account] of draft.changes) {
    if (account) base.set(account);
    else base.remove(id);
  }
}

export function subentriesOf(account: Account): number {
  return Object.keys(account.trust).length + Object.keys(account.data).length;
}

/** What has to stay in the account: two reserves, and one for each entry that it owns. */
export function minimumOf(account: Account, baseReserve: bigint): bigint {
  return baseReserve * BigInt(2 + subentriesOf(account));
}

/** Adds to an account; a result code where it cannot take it. */
export function credit(draft: Draft, id: string, asset: AssetName, units: bigint): string | null {
  const account = draft.get(id);
  if (!account) return 'op_no_destination';
  if (asset === native) {
    if (account.units + units > largest) return 'op_line_full';
    draft.set({ ...account, units: account.units + units });
    return null;
  }
  if (issuerOf(asset) === id) return null;
  const line = account.trust[asset];
  if (!line) return 'op_no_trust';
  if (line.units + units > line.limit) return 'op_line_full';
  draft.set({ ...account, trust: { ...account.trust, [asset]: { ...line, units: line.units + units } } });
  return null;
}

/** Takes from an account; a result code where it does not have it to give. */
export function debit(
  draft: Draft,
  id: string,
  asset: AssetName,
  units: bigint,
  baseReserve: bigint,
): string | null {
  const account = draft.get(id)!;
  if (asset === native) {
    if (account.units - units < minimumOf(account, baseReserve)) return 'op_underfunded';
    draft.set({ ...account, units: account.units - units });
    return null;
  }
  if (issuerOf(asset) === id) return null;
  const line = account.trust[asset];
  if (!line) return 'op_src_no_trust';
  if (line.units < units) return 'op_underfunded';
  draft.set({ ...account, trust: { ...account.trust, [asset]: { ...line, units: line.units - units } } });
  return null;
}
