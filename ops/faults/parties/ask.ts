import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, openClient, Refused } from '../../load/client.ts';
import { openTally } from '../../load/tally.ts';
import type { Keys, Merchant, Mode, World } from '../world/world.ts';
import type { Journal } from './journal.ts';

export type Write = { path: string; body?: object; method?: string; usesPayoutKey?: boolean };

/** A merchant's program in one mode. What is lost is asked again with the same Idempotency-Key, at another gateway. */
export type Program = {
  merchant: Merchant;
  mode: Mode;
  keys: Keys;
  /** The data of the answer, which may be null; undefined: it was refused for good, or never answered. */
  write(idempotencyKey: string, write: Write & { isTwin: boolean }): Promise<unknown>;
  read(path: string, usesPayoutKey?: boolean): Promise<unknown>;
};

/** Longer than a break lasts; a gateway that says nothing is left for the other one. */
const patientMs = 120_000;
const silentMs = 4_000;

export function openProgram(world: World, journal: Journal, merchant: Merchant, mode: Mode): Program {
  const keys = merchant.keys[mode];
  const by = `${merchant.name} ${mode}`;
  function note({ path, given, ...answer }: Answered): void {
    const { method = 'GET', body, idempotencyKey = null } = given;
    const exchange = { by, call: `${method} ${path}`, idempotencyKey, body, ...answer };
    journal.exchanges.push({ ...exchange, data: answer.data ?? null });
    world.log.note(by, `${exchange.call} ${idempotencyKey ?? ''}: ${answer.status} ${answer.message}`);
  }
  const tally = openTally();
  tally.begin('seed');
  const urls = world.gateways.map(({ url }) => url);
  const client = openClient(urls, keys.secretKey, { tally, isPatient: true, patientMs, silentMs, note });

  async function given(what: string, asked: Promise<unknown>): Promise<unknown> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Whether it was done is not known: it must not be so once all is healed.
      if (error.status === 0 || error.status >= 500)
        journal.unanswered.push(`${by}: ${what}: ${error.message}`);
      return undefined;
    }
  }
  const keyOf = (usesPayoutKey: boolean) => (usesPayoutKey ? { key: keys.payoutKey } : {});
  return {
    ...{ merchant, mode, keys },
    write: (idempotencyKey, { path, body, method = 'POST', usesPayoutKey = false, isTwin }) =>
      given(
        idempotencyKey,
        client.write(isTwin ? 0 : 1, path, {
          ...{ method, idempotencyKey, ...keyOf(usesPayoutKey) },
          ...(body && { body }),
        }),
      ),
    read: (path, usesPayoutKey = false) => given(path, client.call(path, keyOf(usesPayoutKey))),
  };
}

/** A request of a browser, at one gateway after the other until one of them answers it. */
export type Browse = (
  path: string,
  init?: RequestInit,
) => Promise<{ status: number; text: string; headers: Headers }>;

export function openBrowser({ gateways }: World, journal: Journal, who: string): Browse {
  let turn = 0;
  return async (path, init = {}) => {
    const endMs = performance.now() + patientMs;
    for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      const url = gateways[turn++ % gateways.length]?.url ?? '';
      const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en', ...init.headers };
      const signal = AbortSignal.timeout(silentMs);
      try {
        const response = await fetch(url + path, { ...init, redirect: 'manual', headers, signal });
        const text = await response.text();
        if (response.status < 500) return { status: response.status, text, headers: response.headers };
        if (response.status === 500)
          journal.unanswered.push(`${who}: ${path} was answered 500 ${text.slice(0, 200)}`);
      } catch {
        // The connection broke, or nothing was said.
      }
      if (performance.now() > endMs) {
        journal.unanswered.push(`${who}: ${path} was not answered`);
        return { status: 0, text: '', headers: new Headers() };
      }
      await sleep(pauseMs);
    }
  };
}
