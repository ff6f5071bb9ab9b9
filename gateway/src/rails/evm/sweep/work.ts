import type { Reader } from '../../../kit/db/db.ts';
import { splitsAt } from '../addresses/direct-places.ts';
import { factoryAddress, forwarderAddress } from '../addresses/forwarders.ts';
import { splitterFactoryAddress } from '../addresses/splitters.ts';
import type { Work } from '../send/deps.ts';
import { resultOf, type SentSweep, type SweepCall, settleCall, sweepCall } from './calls.ts';
import type { SweepDeps } from './deps.ts';
import { forgetLeftOut, noteLeftOut } from './record.ts';

/** Transactions that sweep. A deposit that one fails to move is tried again later. */
export function sweepWork({ db, chain, now }: Pick<SweepDeps, 'db' | 'chain' | 'now'>): Work {
  return {
    kind: 'sweep',
    call: async (calls) => await callOf(db, calls),
    moved: (each, { logs }) => resultOf(logs, each).moved,
    async finish(tx, each, { succeeded, logs }) {
      const failed = succeeded ? resultOf(logs, each).failed : each.owners;
      const reason = succeeded ? 'it failed when the sweep was mined' : 'the sweep was reverted';
      const addressOf = (owner: string) => forwarderAddress(each.treasury, owner);
      const moved = each.owners.filter((owner) => !failed.includes(owner)).map(addressOf);
      const left = failed.map((owner) => ({ token: each.token, address: addressOf(owner), reason }));
      await forgetLeftOut(tx, chain.id, each.token, moved);
      await noteLeftOut(tx, chain.id, left, now());
      return left.length > 0 ? reason : null;
    },
  };
}

/** The call that moves deposits to their treasury; those of direct settlement through their splitter to both sides. */
export async function callOf(reader: Reader, { token, treasury, owners }: SentSweep): Promise<SweepCall> {
  const split = (await splitsAt(reader, [treasury])).get(treasury);
  return split
    ? { to: splitterFactoryAddress, data: settleCall(token, split, owners) }
    : { to: factoryAddress, data: sweepCall(token, treasury, owners) };
}
