import fc from 'fast-check';
import { forwarderAddress } from '../../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../gateway/src/rails/evm/config/chains.ts';
import { accounts } from '../../gateway/test/chain/chain.ts';
import type { Asset, Sweep } from './model.ts';

/** One thing that somebody does. */
export type Step =
  | { do: 'deposit'; asset: Asset; destination: Hex; payment: string; units: bigint }
  | { do: 'sweep'; from: Hex; gas: bigint; sweep: Sweep }
  | { do: 'sweep one'; from: Hex; asset: Asset; destination: Hex; payment: string }
  | { do: 'steal'; from: Hex; asset: Asset; destination: Hex; payment: string }
  | { do: 'pause'; isPaused: boolean }
  | { do: 'answer'; isFalse: boolean }
  | { do: 'bar'; owner: Hex; isBarred: boolean }
  | { do: 'burn'; address: Hex; isEndless: boolean }
  | { do: 'refuse'; isRefused: boolean }
  | { do: 'call back'; sweep: Sweep };

/** More than any sweep here needs. */
export const enoughGas = 12_000_000n;

/** The same payments for every destination, so that only the destination tells their addresses apart. */
const payments = [1, 2, 3].map((n) => `01980000-0000-7000-8000-00000000000${n}`);

/** The deposit addresses of a destination. */
export function addressesOf(destination: Hex): Hex[] {
  return payments.map((payment) => forwarderAddress(destination, payment));
}

/** Random lives, each with a few of the assets only, so that its steps meet each other. */
export function lifeOf(assets: readonly Asset[], destinations: readonly Hex[]): fc.Arbitrary<Step[]> {
  return fc
    .subarray([...assets], { minLength: 2, maxLength: 3 })
    .chain((few) => fc.array(stepOf(few, destinations), { minLength: 10, maxLength: 30 }));
}

function stepOf(assets: readonly Asset[], destinations: readonly Hex[]): fc.Arbitrary<Step> {
  const asset = fc.constantFrom(...assets);
  const destination = fc.constantFrom(...destinations);
  const payment = fc.constantFrom(...payments);
  const address = fc.constantFrom(...destinations.flatMap(addressesOf));
  const from = fc.constantFrom(...Object.values(accounts).map((account) => account.address));
  const units = fc.bigInt({ min: 1n, max: 10n ** 20n });
  const gas = fc.oneof(
    { weight: 3, arbitrary: fc.constant(enoughGas) },
    { weight: 1, arbitrary: fc.bigInt({ min: 40_000n, max: 1_200_000n }) },
  );
  const sweep = fc.record({ asset, destination, payments: fc.array(payment, { maxLength: 6 }) });
  const does = <T extends Step['do']>(name: T) => fc.constant(name);
  /** What changes the mind of one asset, where it takes part. */
  const turns: [Asset, fc.Arbitrary<Step>][] = [
    ['native', fc.record({ do: does('refuse'), isRefused: fc.boolean() })],
    ['PausableToken', fc.record({ do: does('pause'), isPaused: fc.boolean() })],
    ['AnsweringToken', fc.record({ do: does('answer'), isFalse: fc.boolean() })],
    [
      'BlacklistingToken',
      fc.record({ do: does('bar'), owner: fc.oneof(address, destination), isBarred: fc.boolean() }),
    ],
    ['BurningToken', fc.record({ do: does('burn'), address, isEndless: fc.boolean() })],
    [
      'ReentrantToken',
      fc.record({
        do: does('call back'),
        sweep: sweep.filter((each) => each.asset !== 'ReentrantToken'),
      }),
    ],
  ];
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: does('deposit'), asset, destination, payment, units }) },
    { weight: 4, arbitrary: fc.record({ do: does('sweep'), from, gas, sweep }) },
    { weight: 1, arbitrary: fc.record({ do: does('sweep one'), from, asset, destination, payment }) },
    { weight: 2, arbitrary: fc.record({ do: does('steal'), from, asset, destination, payment }) },
    ...turns.filter(([kind]) => assets.includes(kind)).map(([, arbitrary]) => ({ weight: 2, arbitrary })),
  );
}
