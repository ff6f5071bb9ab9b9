import { setTimeout as sleep } from 'node:timers/promises';

/** Asks a JSON-RPC endpoint. Rejects with the fault that it says. */
export type Rpc = <T>(method: string, ...params: unknown[]) => Promise<T>;

const tries = 20;
const pauseMs = 250;

/** A connection that broke is tried again: calls must have no second effect when they are made twice. */
export function openRpc(url: string): Rpc {
  let id = 0;
  return async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const headers = { 'content-type': 'application/json' };
    for (let n = 1; ; n++) {
      const text = await fetch(url, { method: 'POST', headers, body })
        .then((response) => response.text())
        .catch((error: Error) => error);
      if (text instanceof Error) {
        if (n === tries) throw text;
        await sleep(pauseMs);
        continue;
      }
      const answer = JSON.parse(text) as { result?: T; error?: { message: string } };
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result as T;
    }
  };
}
