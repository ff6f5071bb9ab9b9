import type { ForgetPerson } from '../identity/closing/close-account.ts';
import type { Mode } from '../identity/integration.ts';
import type { Clock } from '../kit/clock.ts';
import type { Assets, Currency } from '../money/assets.ts';
import type { AssetCode } from '../money/money.ts';
import { type Explorers, senderUrl, transactionUrl } from '../payments/read/explorers.ts';
import type { DirectTerms, HostParts } from '../rails/direct.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { forgetExporter } from '../rails/evm/payouts/forget-person.ts';
import { createEvmRail } from '../rails/evm/rail.ts';
import { joinRails } from '../rails/join.ts';
import type { Links } from '../rails/links.ts';
import { type PiNetworks, piCodeOf, pisOf } from '../rails/pi/horizon/network.ts';
import { createPiRail } from '../rails/pi/rail.ts';
import type { Rail, Sending } from '../rails/rail.ts';
import { sendingFor } from '../rails/sending-for.ts';
import { directSettlement } from '../treasury/direct/direct-settlement.ts';
import { hostParts } from '../treasury/direct/read.ts';
import { destinationFault } from './destinations.ts';
import { explorersOf } from './explorers.ts';
import { createSendings } from './sendings.ts';

export type RailsDeps = PiNetworks & {
  chains: readonly ChainConfig[];
  assets: Assets;
  now: Clock;
  /** What merchants are told of direct settlement; absent: as `offered`. */
  directSettlement?: DirectTerms;
};

/** What follows from the configuration of networks alone, without asking a network. */
export type Rails = {
  /** Removes a person whose account is closed from the records of what they did. */
  forgetPerson: ForgetPerson;
  /** The rails of the installation's networks as one: where payments can be sent, as the database has it. */
  rail: Rail;
  /** How payouts are sent, in test mode and in live mode. */
  sendings: readonly Sending[];
  explorers: Explorers;
  /** Where an explorer shows a transaction; null where there is none. */
  transactionUrl: Links['transaction'];
  links: Links;
  /** What is wrong with a destination, by the rail that would send there; by its network alone where none does. */
  faultOf(mode: Mode): Sending['faultOf'];
  /** The assets that the installation's networks take in live mode. */
  taken: readonly AssetCode[];
  isTaken(asset: string): boolean;
  /** Whether live payments settle to their merchants' own addresses alone (contract.md#direct). */
  isDirectRequired: boolean;
  /** Whether merchants are asked for an own address, or must have one, for live payments. */
  isDirectAsked: boolean;
  /** The host's part of what settled to own addresses. */
  hostParts: HostParts;
  /** The currencies of those assets. */
  offered: readonly Currency[];
};

export function openRails(deps: RailsDeps): Rails {
  const { chains, assets } = deps;
  const taken = assetsTaken(deps);
  const sendings = createSendings(deps);
  const explorers = explorersOf(chains, deps);
  const transaction: Links['transaction'] = (rail, id) => transactionUrl(explorers, rail, id);
  return {
    rail: createRails(deps),
    sendings,
    explorers,
    transactionUrl: transaction,
    links: {
      transaction,
      account: (rail, address) => senderUrl(explorers, { rail, sender: address }),
    },
    faultOf: (mode) => (order) =>
      (sendingFor(sendings, mode, order.asset)?.faultOf ?? destinationFault)(order),
    forgetPerson: forgetExporter,
    taken,
    isTaken: (asset) => taken.includes(asset),
    isDirectRequired: isDirectRequired(deps),
    isDirectAsked: isDirectAsked(deps),
    hostParts,
    offered: [...new Set(taken.map((code) => assets.get(code).currency))],
  };
}

/** Whether payments may settle to addresses of their merchants' own alone. */
function isDirectRequired({ chains, directSettlement: terms }: RailsDeps): boolean {
  return terms === 'required' && chains.some(({ feeAddress }) => feeAddress !== undefined);
}

const isDirectAsked = ({ chains, directSettlement: terms = 'offered' }: RailsDeps): boolean =>
  terms !== 'offered' && chains.some(({ feeAddress, isTest }) => feeAddress !== undefined && !isTest);

export function createRails(deps: RailsDeps): Rail {
  const { chains, assets, now, directSettlement: _, ...pis } = deps;
  const isRequired = isDirectRequired(deps);
  const isOffered = chains.some(({ feeAddress }) => feeAddress !== undefined);
  const own = isOffered ? { direct: directSettlement({ now, isRequired }) } : {};
  const evm = createEvmRail({ chains, assets, now, ...own });
  const pi = pisOf(pis).map((each) => {
    const rail = createPiRail({ pi: each, assets, now });
    return isRequired && !each.isTest ? withoutNewPayments(rail) : rail;
  });
  return joinRails([evm, ...pi]);
}

/** A rail on which no merchant can have an address of their own: payments that were made before go on. */
const withoutNewPayments = (rail: Rail): Rail => ({
  ...rail,
  open: async () => {},
  offers: async () => [],
  openFor: async (tx, owner, asset) =>
    owner.kind === 'payment' ? false : await rail.openFor(tx, owner, asset),
});

/** The assets that the installation's networks take in live mode. */
function assetsTaken({ chains, assets, ...pis }: RailsDeps): AssetCode[] {
  const codes = chains.flatMap(({ tokens }) => tokens.map(({ asset }) => asset));
  const all = [...new Set([...codes, ...pisOf(pis).map(piCodeOf)])];
  return all.filter((code) => assets.modeOf(code) === 'live');
}
