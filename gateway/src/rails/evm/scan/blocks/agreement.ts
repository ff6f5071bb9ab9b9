import type { Logger } from 'pino';
import type { Clock } from '../../../../kit/clock.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { createSilence, type Silence } from './silence.ts';

/** Endpoints told different things of what is to be booked. Nothing is, until two of them agree. */
export class Disagreement extends Error {}

export type Told<T> = { value: T; endpoint: Endpoint };

export type Question<T> = {
  ask(endpoint: Endpoint): Promise<T>;
  same(one: T, other: T): boolean;
  /** What it is about, for people: "the transfers of block 7". */
  about: string;
  /** Who was asked already. */
  told?: Told<T>[];
  /** `blocks` by default. */
  kind?: Kind;
};

/** An endpoint may answer for blocks, and never for what addresses hold. */
export type Kind = 'blocks' | 'balances';

/** What is booked or undone rests on two endpoints where there are two. */
export type Agreement = {
  /** Does `work` on another endpoint than those of these names. Throws RpcFault. */
  askAnother<T>(
    names: readonly string[],
    work: (endpoint: Endpoint) => Promise<T>,
    kind?: Kind,
  ): Promise<Told<T>>;
  /** What two endpoints tell alike; all are asked if need be. Throws RpcFault or Disagreement. */
  agree<T>(question: Question<T>): Promise<T>;
  /** Endpoints of these names count as silent from now on: their heads stand still. */
  noteStill(names: readonly string[]): void;
};

/**
 * A single endpoint is asked twice. So it is after two minutes in which none of the others answered: one dead
 * endpoint of two must not hold up all payments.
 */
export function createAgreement(endpoints: Endpoints, now: Clock, log: Logger): Agreement {
  const silences: Record<Kind, Silence> = { blocks: createSilence(now), balances: createSilence(now) };
  const isAlone = new Set<Kind>();
  let still: readonly string[] = [];

  /** Whether the others have not answered such a question for long, or have answered none about blocks. */
  function isSilence(kind: Kind): boolean {
    silences[kind].begin();
    return silences[kind].lasts() || silences.blocks.lasts();
  }

  /** Throws RpcFault where all others count as silent. */
  async function askOther<T>(names: readonly string[], work: (endpoint: Endpoint) => Promise<T>) {
    const except = [...new Set([...names, ...still])];
    if (endpoints.size > 1 && except.length >= endpoints.size) {
      throw new RpcFault('behind', 'no other endpoint has a head that moves');
    }
    return await endpoints.use(work, { except });
  }

  async function askAnother<T>(
    names: readonly string[],
    work: (endpoint: Endpoint) => Promise<T>,
    kind: Kind = 'blocks',
  ): Promise<Told<T>> {
    try {
      const told = await askOther(names, work);
      silences[kind].end();
      isAlone.delete(kind);
      return told;
    } catch (error) {
      if (!(error instanceof RpcFault) || endpoints.size === 1) throw error;
      if (!isSilence(kind)) throw error;
      if (!isAlone.has(kind))
        log.warn({ fault: error.message }, 'one endpoint has to do: no other one answers');
      isAlone.add(kind);
      return await endpoints.use(work, { except: still });
    }
  }

  async function agree<T>({ ask, same, about, told = [], kind }: Question<T>): Promise<T> {
    while (told.length < Math.max(2, endpoints.size)) {
      const names = told.map(({ endpoint }) => endpoint.name);
      const next = names.length === 0 ? await endpoints.use(ask) : await askAnother(names, ask, kind);
      const twin = told.find(({ value }) => same(value, next.value));
      if (twin) {
        for (const { endpoint } of told.filter((each) => !same(each.value, next.value))) {
          endpoints.noteDoubt(endpoint, `disagrees with two others about ${about}`);
        }
        return next.value;
      }
      told.push(next);
    }
    for (const { endpoint } of told) endpoints.noteDoubt(endpoint, `disagrees with another about ${about}`);
    const names = told.map(({ endpoint }) => endpoint.name).join(' and ');
    throw new Disagreement(`${names} disagree about ${about}`);
  }

  return {
    askAnother,
    agree,
    noteStill(names) {
      still = names;
    },
  };
}
