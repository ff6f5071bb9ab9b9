import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import type { Clock } from '../../src/kit/clock.ts';
import { createCore, type LedgerCore } from '../horizon/core/core.ts';
import { createWallet } from '../horizon/wallet.ts';
import { type Order, payOther, piOf } from './driver.ts';

// A Pi network with people on it who have plenty, for the custody accounts of many tests.

export type PiNetwork = {
  core: LedgerCore;
  /** They have plenty of PI and of the other asset. */
  payers: readonly Keypair[];
  /** Changes the other asset into PI and back. */
  issuer: Keypair;
  other: Asset;
  /** Who has nothing to do with anybody here. */
  outsider: Keypair;
  /** An account that takes the other asset too, in a ledger of its own. */
  openAccount(units: bigint): Keypair;
  /** An account that was never used, to be merged away. */
  freshAccount(): Keypair;
  /** Hands a transaction in for the next ledger. Returns its hash. */
  send(source: Keypair, order: Order): string;
};

const payers = 4;
const plenty = 10n ** 17n;
const freshAtOnce = 40;

/** Opens a network whose ledgers close only when they are told to. */
export function openNetwork(now: Clock): PiNetwork {
  const core = createCore({ now });
  const { transact } = createWallet(core);
  const send = (from: Keypair, order: Order): string => transact({ from, ...order, close: false });
  const people = Array.from({ length: payers }, () => Keypair.random());
  const [issuer, outsider] = [Keypair.random(), Keypair.random()];
  const other = new Asset('SHELLS', issuer.publicKey());
  const fresh: Keypair[] = [];

  const create = (account: Keypair, units: bigint): Order['operations'][number] =>
    Operation.createAccount({ destination: account.publicKey(), startingBalance: piOf(units) });
  const trust = (account: Keypair): Order['operations'][number] =>
    Operation.changeTrust({ asset: other, source: account.publicKey() });

  send(core.root, {
    operations: [issuer, outsider, ...people].map((each) => create(each, plenty)),
  });
  core.close();
  send(issuer, {
    operations: people.flatMap((each) => [trust(each), payOther(other, each.publicKey(), plenty)]),
    signers: people,
  });
  core.close();

  function makeFresh(): void {
    const made = Array.from({ length: freshAtOnce }, () => Keypair.random());
    send(people[0]!, {
      operations: made.map((each, at) => create(each, 10_000_000n * BigInt(1 + (at % 12)) + BigInt(at))),
    });
    core.close();
    fresh.push(...made);
  }

  return {
    core,
    payers: people,
    issuer,
    other,
    outsider,
    openAccount(units) {
      const account = Keypair.random();
      send(core.root, { operations: [create(account, units)] });
      core.close();
      send(account, { operations: [trust(account)] });
      core.close();
      return account;
    },
    freshAccount() {
      if (fresh.length === 0) makeFresh();
      return fresh.pop()!;
    },
    send,
  };
}
