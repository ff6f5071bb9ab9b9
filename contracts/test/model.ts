import { forwarderAddress } from '../../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../gateway/src/rails/evm/config/chains.ts';
import type { OddKind } from '../../gateway/test/chain/test-tokens.ts';

/** What can be deposited and swept. */
export type Asset = OddKind | 'native';

export type Sweep = { asset: Asset; destination: Hex; payments: readonly string[] };

/** Who owns how much, and who refuses what, as it must be if the factory is right. */
export type Model = {
  /** Units by `asset owner`; what a token keeps as its fee belongs to the asset's own name. */
  units: Map<string, bigint>;
  isPaused: boolean;
  answersFalse: boolean;
  barred: Set<Hex>;
  burning: Set<Hex>;
  /** Destinations that refuse the native coin. */
  refusing: Set<Hex>;
  /** What the reentrant token does in the middle of its next transfer. */
  callBack: Sweep | null;
};

export function newModel(): Model {
  return {
    units: new Map(),
    isPaused: false,
    answersFalse: false,
    barred: new Set(),
    burning: new Set(),
    refusing: new Set(),
    callBack: null,
  };
}

export function unitsOf(model: Model, asset: Asset, owner: string): bigint {
  return model.units.get(`${asset} ${owner}`) ?? 0n;
}

export function credit(model: Model, asset: Asset, owner: string, units: bigint): void {
  model.units.set(`${asset} ${owner}`, unitsOf(model, asset, owner) + units);
}

/** Sweeps, and answers the payments that could not be moved, in order: each fails or succeeds for itself. */
export function modelSweep(model: Model, { asset, destination, payments }: Sweep): string[] {
  return payments.filter((payment) => {
    const address = forwarderAddress(destination, payment);
    if (unitsOf(model, asset, address) === 0n) return false;
    if (refuses(model, asset, address, destination)) return true;
    if (asset === 'ReentrantToken') callBack(model);
    move(model, asset, { from: address, to: destination, units: unitsOf(model, asset, address) });
    return false;
  });
}

/** Whether a transfer fails. */
export function refuses(model: Model, asset: Asset, from: Hex, to: Hex): boolean {
  switch (asset) {
    case 'native':
      return model.refusing.has(to);
    case 'PausableToken':
      return model.isPaused;
    case 'AnsweringToken':
      return model.answersFalse;
    case 'BlacklistingToken':
      return model.barred.has(from) || model.barred.has(to);
    case 'BurningToken':
      return model.burning.has(from) || model.burning.has(to);
    default:
      return false;
  }
}

/** A transfer that succeeds. */
export function move(
  model: Model,
  asset: Asset,
  { from, to, units }: { from: Hex; to: Hex; units: bigint },
): void {
  const takesFee = asset === 'HonestFeeToken' || asset === 'LyingFeeToken';
  const fee = takesFee ? units / 100n : 0n;
  credit(model, asset, from, -units);
  credit(model, asset, to, units - fee);
  if (fee > 0n) credit(model, asset, asset, fee);
}

/** A sweep within a sweep has too little gas to tell a refusal from a lack of it: then it does nothing at all. */
function callBack(model: Model): void {
  const sweep = model.callBack;
  if (sweep === null) return;
  model.callBack = null;
  const after = { ...model, units: new Map(model.units) };
  if (modelSweep(after, sweep).length === 0) model.units = after.units;
}

/** What the model has at each of these places, by their names. */
export function expectedAt(places: readonly string[], { units }: Model): Record<string, bigint> {
  return Object.fromEntries(places.map((place) => [place, units.get(place) ?? 0n]));
}
