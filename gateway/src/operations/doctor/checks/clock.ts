import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import type { Config } from '../../../config/config.ts';
import { after } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { Agent, request } from '../../../kit/net/undici.ts';
import { pisOf } from '../../../rails/pi/horizon/network.ts';
import { originOf } from '../../../rates/sources/known.ts';
import type { Check, Context } from './context.ts';
import { found } from './finding.ts';

/** How many seconds another clock is ahead of this one. */
type Offset = { name: string; seconds: number };

const mostAsked = { networks: 6, rates: 3 };
const limitMs = 5_000;
const offSeconds = 5;
const wrongSeconds = 30;

/**
 * This machine's clock beside that of the database, beside what the servers of its networks and rates say in `Date`, and beside the
 * time in the greeting of the mail server, where it has one.
 */
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
  const ask = async (address: string): Promise<Offset | null> => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      const read = () =>
        address.startsWith('http') ? dateOf(address, agent, limit) : greetingDateOf(address, limit);
      // These times have whole seconds, and their moment is half a second later on average.
      const { offset } = await middleOf(now, async () => after(await read(), 0.5));
      return { name: new URL(address).host, seconds: offset };
    } catch {
      // Whether it answers is the business of other checks.
      return null;
    }
  };
  try {
    return (await Promise.all(addressesOf(config).map(ask))).filter((each) => each !== null);
  } finally {
    await agent.destroy();
  }
}

/** Of endpoints and sources only what is before the path: the rest may be a key. */
function addressesOf(config: Config): string[] {
  const { chains, rates, smtpUrl } = config;
  const networks = [
    ...chains.flatMap(({ rpcUrls }) => rpcUrls),
    ...pisOf(config).flatMap(({ horizonUrls }) => horizonUrls),
  ].map((url) => new URL(url).origin);
  const sources = rates.kind === 'sources' ? rates.sources.map(originOf) : [];
  return [
    ...[...new Set(networks)].slice(0, mostAsked.networks),
    ...[...new Set(sources)].slice(0, mostAsked.rates),
    ...(smtpUrl === null ? [] : [smtpUrl]),
  ];
}

async function dateOf(origin: string, agent: Agent, signal: AbortSignal): Promise<Date> {
  const { headers, body } = await request(`${origin}/`, { dispatcher: agent, signal });
  await body.dump();
  return timeOf(String(headers.date));
}

/** The time in the first line of a mail server: Exchange and Sendmail name it there, Postfix does not. */
async function greetingDateOf(url: string, signal: AbortSignal): Promise<Date> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket =
    protocol === 'smtps:'
      ? connectByTls({
          host,
          port: Number.parseInt(port || '465', 10),
          servername: isIP(host) ? undefined : host,
        })
      : connect({ host, port: Number.parseInt(port || '587', 10) });
  try {
    const [greeting] = await once(socket, 'data', { signal });
    return timeOf(
      /[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{8} [+-]\d{4}/.exec(String(greeting))?.[0],
    );
  } finally {
    socket.destroy();
  }
}

function timeOf(text = ''): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error('no time');
  return at;
}
