import type { Config } from '../../../config/config.ts';
import { after } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { Agent, request } from '../../../kit/net/undici.ts';
import { pisOf } from '../../../rails/pi/horizon/network.ts';
import type { Check, Context } from './context.ts';
import { found } from './finding.ts';

/** How many seconds another clock is ahead of this one. */
type Offset = { name: string; seconds: number };

const mostAsked = 6;
const limitMs = 5_000;
const offSeconds = 5;
const wrongSeconds = 30;

/** This machine's clock beside that of the database, and beside what the servers of its networks say in `Date`. */
export const checkClock: Check = async (context) => {
  const [ofDatabase, others] = await Promise.all([databaseOffset(context), serverOffsets(context)]);
  const findings = [];
  if (others.length === 0 && ofDatabase === null) return [found('clock', 'alone')];
  if (others.length > 0) {
    // Most of them are right: one that is wrong does not decide.
    const { seconds } = others.toSorted((one, other) => one.seconds - other.seconds)[
      Math.floor(others.length / 2)
    ] as Offset;
    const detail = others.map(wordsOf).join(', ');
    const away = Math.abs(seconds);
    if (away > wrongSeconds) findings.push(found('clock', 'wrong', detail));
    else if (away > offSeconds) findings.push(found('clock', 'off', detail));
  }
  if (ofDatabase && Math.abs(ofDatabase.seconds) > offSeconds)
    findings.push(found('clock', 'database', wordsOf(ofDatabase)));
  if (findings.length > 0) return findings;
  return [found('clock', 'ok', [...others, ...(ofDatabase ? [ofDatabase] : [])].map(wordsOf).join(', '))];
};

function wordsOf({ name, seconds }: Offset): string {
  if (Math.abs(seconds) < 1) return `${name} agrees`;
  return `${name} is ${Math.abs(seconds).toFixed(0)} s ${seconds > 0 ? 'ahead' : 'behind'}`;
}

/** An embedded database has the clock of this machine. */
async function databaseOffset({ config, db, now }: Context): Promise<Offset | null> {
  if (!db || config.database.kind === 'embedded') return null;
  const at = await middleOf(now, () => clockOf(db));
  return { name: 'the database', seconds: at.offset };
}

async function clockOf(db: Database): Promise<Date> {
  return oneRow(await db.query<{ at: Date }>('SELECT clock_timestamp() AS at'), 'clock').at;
}

/** Compares a clock with ours in the middle between the question and the answer. */
async function middleOf(now: () => Date, read: () => Promise<Date>): Promise<{ offset: number }> {
  const begun = now();
  const theirs = await read();
  const ours = after(begun, (now().getTime() - begun.getTime()) / 2000);
  return { offset: (theirs.getTime() - ours.getTime()) / 1000 };
}

async function serverOffsets({ config, now, signal }: Context): Promise<Offset[]> {
  const agent = new Agent({ connections: 2 });
  const ask = async (origin: string): Promise<Offset | null> => {
    try {
      // A `Date` has whole seconds, and its moment is half a second later on average.
      const { offset } = await middleOf(now, async () => after(await dateOf(origin, agent, signal), 0.5));
      return { name: new URL(origin).host, seconds: offset };
    } catch {
      // Whether it answers is the business of other checks.
      return null;
    }
  };
  try {
    return (await Promise.all(originsOf(config).map(ask))).filter((each) => each !== null);
  } finally {
    await agent.destroy();
  }
}

/** Of the endpoints only what is before the path: the rest may be a key. */
function originsOf(config: Config): string[] {
  const urls = [
    ...config.chains.flatMap(({ rpcUrls }) => rpcUrls),
    ...pisOf(config).flatMap(({ horizonUrls }) => horizonUrls),
  ];
  return [...new Set(urls.map((url) => new URL(url).origin))].slice(0, mostAsked);
}

async function dateOf(origin: string, agent: Agent, signal: AbortSignal): Promise<Date> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { headers, body } = await request(`${origin}/`, { dispatcher: agent, signal: limit });
  await body.dump();
  const at = new Date(String(headers.date));
  if (Number.isNaN(at.getTime())) throw new Error('no Date');
  return at;
}
