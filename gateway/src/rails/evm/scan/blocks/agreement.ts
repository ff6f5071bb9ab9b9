import type { Logger } from 'pino';
import type { Clock } from '../../../../kit/clock.ts';
import { createSilence, type Silence } from '../../../silence.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';

/** Endpoints gave different answers about something to book. Nothing is booked until two of them agree. */
export class Disagreement extends Error {}

/** What an endpoint answered. */
export type Answer<T> = { value: T; endpoint: Endpoint };

type Question<T> = {
  ask(endpoint: Endpoint): Promise<T>;
  same(one: T, other: T): boolean;
  /** What the question is about, in words: "the transfers of block 7". */
  about: string;
  /** The answers that are known already. */
  answers?: Answer<T>[];
  /** `blocks` by default. */
  kind?: Kind;
};

/** An endpoint may answer questions about blocks, and none about what addresses hold. */
type Kind = 'blocks' | 'balances';

/** Whatever is booked or taken back needs the same answer from two endpoints, where there are two. */
export type Agreement = {
  /** Calls `work` with another endpoint than those of these names. Throws RpcFault. */
  askAnother<T>(
    names: readonly string[],
    work: (endpoint: Endpoint) => Promise<T>,
    kind?: Kind,
  ): Promise<Answer<T>>;
  /** The answer that two endpoints gave alike; all are asked if need be. Throws RpcFault or Disagreement. */
  agree<T>(question: Question<T>): Promise<T>;
  /** From now on the endpoints with these names count as silent: their heads do not move. */
  noteStill(names: readonly string[]): void;
};

/**
 * Makes the agreement of a chain's endpoints. Where there is only one, it is asked twice; so it is where none of the
 * others has answered for two minutes: one dead endpoint of two must not hold up all payments.
 */
export function createAgreement(endpoints: Endpoints, now: Clock, log: Logger): Agreement {
  const silences: Record<Kind, Silence> = { blocks: createSilence(now), balances: createSilence(now) };
  const isAlone = new Set<Kind>();
  let still: readonly string[] = [];

  /** Whether the others have not answered such questions for two minutes, or none about blocks. */
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
  ): Promise<Answer<T>> {
    try {
      const answer = await askOther(names, work);
      silences[kind].end();
      isAlone.delete(kind);
      return answer;
    } catch (error) {
      if (!(error instanceof RpcFault) || endpoints.size === 1) throw error;
      if (!isSilence(kind)) throw error;
      if (!isAlone.has(kind))
        log.warn({ fault: error.message }, 'no other endpoint answers: one answer is enough for now');
      isAlone.add(kind);
      return await endpoints.use(work, { except: still });
    }
  }

  async function agree<T>({ ask, same, about, answers = [], kind }: Question<T>): Promise<T> {
    while (answers.length < Math.max(2, endpoints.size)) {
      const names = answers.map(({ endpoint }) => endpoint.name);
      const next = names.length === 0 ? await endpoints.use(ask) : await askAnother(names, ask, kind);
      const twin = answers.find(({ value }) => same(value, next.value));
      if (twin) {
        for (const { endpoint } of answers.filter((each) => !same(each.value, next.value))) {
          endpoints.noteDoubt(endpoint, `disagrees with two others about ${about}`);
        }
        return next.value;
      }
      answers.push(next);
    }
    for (const { endpoint } of answers)
      endpoints.noteDoubt(endpoint, `disagrees with another about ${about}`);
    const names = answers.map(({ endpoint }) => endpoint.name).join(' and ');
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
