import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Endpoint, Endpoints } from '../endpoints.ts';
import { RpcFault } from '../rpc-fault.ts';

/** Endpoints told different things of what is to be booked. Nothing is, until two of them agree. */
export class Disagreement extends Error {}

/** How long the word of a second endpoint is waited for, while no other one answers. */
const patienceMs = 120_000;

export type Told<T> = { value: T; endpoint: Endpoint };

export type Question<T> = {
  ask(endpoint: Endpoint): Promise<T>;
  same(one: T, other: T): boolean;
  /** What it is about, for people: "the transfers of block 7". */
  about: string;
  /** Who was asked already. */
  told?: Told<T>[];
};

/** What is booked or undone rests on two endpoints where there are two. */
export type Agreement = {
  /** Does `work` on another endpoint than those of these names. Throws RpcFault. */
  askAnother<T>(names: readonly string[], work: (endpoint: Endpoint) => Promise<T>): Promise<Told<T>>;
  /** What two endpoints tell alike; all are asked if need be. Throws RpcFault or Disagreement. */
  agree<T>(question: Question<T>): Promise<T>;
};

/**
 * A single endpoint is asked twice. So it is after two minutes in which none of the others answered: one dead
 * endpoint of two must not hold up all payments.
 */
export function createAgreement(endpoints: Endpoints, now: Clock, log: Logger): Agreement {
  let silentSince: Date | null = null;
  let isAlone = false;

  async function askAnother<T>(
    names: readonly string[],
    work: (endpoint: Endpoint) => Promise<T>,
  ): Promise<Told<T>> {
    try {
      const told = await endpoints.use(work, { except: names });
      silentSince = null;
      isAlone = false;
      return told;
    } catch (error) {
      if (!(error instanceof RpcFault) || endpoints.size === 1) throw error;
      silentSince ??= now();
      if (now().getTime() - silentSince.getTime() < patienceMs) throw error;
      if (!isAlone) log.warn({ fault: error.message }, 'one endpoint has to do: no other one answers');
      isAlone = true;
      return await endpoints.use(work);
    }
  }

  async function agree<T>({ ask, same, about, told = [] }: Question<T>): Promise<T> {
    while (told.length < Math.max(2, endpoints.size)) {
      const names = told.map(({ endpoint }) => endpoint.name);
      const next = names.length === 0 ? await endpoints.use(ask) : await askAnother(names, ask);
      const twin = told.find(({ value }) => same(value, next.value));
      if (twin) {
        for (const { endpoint } of told.filter((each) => !same(each.value, next.value))) {
          endpoints.noteFault(endpoint, `disagrees with two others about ${about}`);
        }
        return next.value;
      }
      told.push(next);
    }
    for (const { endpoint } of told) endpoints.noteFault(endpoint, `disagrees with another about ${about}`);
    const names = told.map(({ endpoint }) => endpoint.name).join(' and ');
    throw new Disagreement(`${names} disagree about ${about}`);
  }

  return { askAnother, agree };
}
