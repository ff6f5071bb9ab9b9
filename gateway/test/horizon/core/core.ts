import { Keypair } from '@stellar/stellar-sdk';
import type { Account } from './accounts.ts';
import { unitsPerCoin } from './amounts.ts';
import { newAccount } from './apply.ts';
import { createChain } from './chain.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import type { History } from './history.ts';
import { openJournal } from './journal.ts';
import type { Ledger } from './ledger.ts';
import { createSubmissions, type Submitted } from './submissions.ts';

export type CoreOptions = {
  /** Names the network in every signature; the root account's key comes from it, as on real networks. */
  passphrase?: string;
  /** Stroops an operation. */
  baseFee?: bigint;
  now?: () => Date;
  /** File that keeps the ledgers; a core that opens it again goes on where it ended. */
  journal?: string | null;
  /** Accounts of the first ledger besides the root, with their stroops: nobody ever sent them those. */
  genesis?: Readonly<Record<string, bigint>>;
};

export type LedgerCore = {
  readonly passphrase: string;
  /** Holds all coins at first. */
  readonly root: Keypair;
  readonly baseReserve: bigint;
  /** Stroops that the next ledgers take for an operation; may be changed. */
  baseFee: bigint;
  readonly now: () => Date;
  readonly history: History;
  readonly ledgers: readonly Ledger[];
  /** By their ids, as the last ledger left them. */
  readonly accounts: ReadonlyMap<string, Account>;
  last(): Ledger;
  /** The sequence that the account's next envelope has to have. */
  nextSequence(id: string): bigint;
  submit(xdr: string): Submitted;
  /** How many envelopes wait for the next ledger. */
  waiting(): number;
  /** Closes a ledger over whatever waits. */
  close(): Ledger;
  onClose(listener: (ledger: Ledger) => void): () => void;
  /** Closes its file. */
  end(): void;
};

export const totalCoins = 100_000_000_000n * unitsPerCoin;
const baseReserve = unitsPerCoin / 2n;

/** A ledger of its own, which any number of Horizon servers may show. */
export function createCore(options: CoreOptions = {}): LedgerCore {
  const passphrase = options.passphrase ?? 'Florin Test Pi';
  const now = options.now ?? (() => new Date());
  const root = Keypair.master(passphrase);
  const journal = options.journal ? openJournal(options.journal, passphrase) : null;
  const chain = createChain(baseReserve);
  const rules = () => ({ baseFee: core.baseFee, baseReserve });
  const submissions = createSubmissions(chain, { passphrase, now, rules });
  const listeners = new Set<(ledger: Ledger) => void>();
  const last = (): Ledger => chain.ledgers.at(-1)!;
  const core: LedgerCore = {
    passphrase,
    root,
    baseReserve,
    baseFee: options.baseFee ?? 100_000n,
    now,
    history: chain.history,
    ledgers: chain.ledgers,
    accounts: chain.accounts,
    last,
    nextSequence: (id) => (chain.accounts.get(id)?.sequence ?? 0n) + BigInt(submissions.countOf(id)) + 1n,
    submit: submissions.submit,
    waiting: submissions.size,
    close,
    onClose(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end: () => journal?.end(),
  };

  function close(): Ledger {
    // No two ledgers close in the wrong order, whatever the clock says.
    const closedAt = new Date(Math.max(wholeSeconds(now()), last().closedAt.getTime()));
    const { baseFee } = core;
    const taken = submissions.takeFor(closedAt);
    const envelopes = taken.map(({ envelope }) => envelope);
    journal?.append({ closedAt, baseFee, envelopes: envelopes.map(({ xdr }) => xdr) });
    const ledger = chain.add(envelopes, { closedAt, baseFee });
    taken.forEach(({ settle }, at) => {
      settle(ledger.transactions[at]!);
    });
    for (const listener of [...listeners]) listener(ledger);
    return ledger;
  }

  const first = journal?.entries[0] ?? { closedAt: new Date(wholeSeconds(now())), baseFee: core.baseFee };
  if (journal?.entries.length === 0) journal.append({ ...first, envelopes: [] });
  const given = Object.entries(options.genesis ?? {}).map(([id, units]) => newAccount(id, units, 1));
  const left = given.reduce((rest, { units }) => rest - units, totalCoins);
  chain.begin([newAccount(root.publicKey(), left, 0), ...given], first);
  for (const { envelopes, ...header } of journal?.entries.slice(1) ?? []) {
    chain.add(
      envelopes.map((xdr) => readEnvelope(xdr, passphrase) as Envelope),
      header,
    );
  }
  return core;
}

const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
