import { after } from '../../../kit/clock.ts';
import { createSilence } from '../../silence.ts';
import { type Horizon, HorizonFault } from '../horizon/horizon.ts';
import type { SendDeps } from './deps.ts';
import { type Fate, fateOf } from './fate.ts';
import type { Envelope } from './record.ts';

type Answer = { value: Fate; endpoint: Pick<Horizon, 'name'> };

const ends: readonly Fate['kind'][] = ['applied', 'failed', 'void'];
/** How long after the last valid time of a transaction another Horizon may still be behind the first one. */
const patienceSeconds = 60;

/**
 * Makes the function that finds out the fate of a signed transaction. An end needs the same answer from two Horizons,
 * where there are two; one is enough where no other one has answered for two minutes, as on the chains. Throws
 * HorizonFault.
 */
export function createAgreedFates({ horizons, pi, now }: Pick<SendDeps, 'horizons' | 'pi' | 'now'>) {
  const silence = createSilence(now);

  const ask = (envelope: Envelope, except: readonly string[]): Promise<Answer> =>
    horizons.use((horizon) => fateOf(horizon, pi, envelope), { except });

  /** The next Horizon's answer; a text: why there is none; null: one answer is enough. */
  async function askAnother(envelope: Envelope, answers: readonly Answer[]): Promise<Answer | string | null> {
    try {
      const answer = await ask(
        envelope,
        answers.map(({ endpoint }) => endpoint.name),
      );
      silence.end();
      return answer;
    } catch (error) {
      if (!(error instanceof HorizonFault)) throw error;
      if (answers.length > 1) return `no other Horizon answers: ${error.message}`;
      silence.begin();
      return silence.lasts() ? null : `no other Horizon answers: ${error.message}`;
    }
  }

  return async (envelope: Envelope): Promise<Fate> => {
    const first = await ask(envelope, []);
    if (horizons.size === 1 || !ends.includes(first.value.kind)) return first.value;
    const answers = [first];
    while (answers.length < horizons.size) {
      const next = await askAnother(envelope, answers);
      if (next === null) return first.value;
      if (typeof next === 'string') return { kind: 'unclear', why: next };
      const { kind } = next.value;
      const isAgreed = ends.includes(kind) && answers.some(({ value }) => value.kind === kind);
      if (isAgreed) return next.value;
      answers.push(next);
    }
    const isAnyLater = answers.some(({ value }) => value.kind === 'waiting' || value.kind === 'ending');
    if (isAnyLater && now() <= after(envelope.maxTime, patienceSeconds)) return { kind: 'ending' };
    const kinds = answers.map(({ value, endpoint }) => `${endpoint.name} says ${value.kind}`);
    return { kind: 'unclear', why: `its Horizons do not agree: ${kinds.join(', ')}` };
  };
}
