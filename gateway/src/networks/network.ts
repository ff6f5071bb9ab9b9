import type { LoopPlan } from '../kit/slice.ts';
import type { RailProbe } from '../rails/health.ts';
import type { LookUpTransaction } from '../rails/look-up.ts';

type NetworkLoop = Omit<LoopPlan, 'work'> & { work: () => Promise<void> };

/** A network of the installation, or several, as the rest of the gateway knows them. */
export type Network = {
  lookUp: LookUpTransaction;
  /** How each does. */
  probes: RailProbe[];
  loops: NetworkLoop[];
  /** Ends what is under way at endpoints; to be called before the loops are waited for. */
  disconnect(): Promise<void>;
  /** Leaves them to other processes; after the loops. */
  release(): Promise<void>;
};

/** What sends money out of an account of the installation. */
export type NetworkSender = {
  loop: NetworkLoop;
  /** Ends what is under way. */
  disconnect(): Promise<void>;
};

/** How often a sender looks for what is to be sent, and for what became of what it sent. */
export const senderMs = 2_000;
/** A program that signs may ask somebody else. */
export const signMs = 15_000;
