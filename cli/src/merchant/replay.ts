import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Replay, ReplayInput } from '@florin/sdk';
import { note } from '../output/print.ts';

const pollMs = 1_000;

/** Starts a replay and follows one that is long, with a note for whoever watches; how it ended. */
export async function replayToItsEnd(client: Client, id: string, wish: ReplayInput): Promise<Replay> {
  let replay = await client.webhookEndpoints.replay(id, wish);
  while (replay.status === 'running') {
    const { count, total } = replay;
    note(`${count}${total === null ? '' : ` of ${total}`} queued ...`);
    await sleep(pollMs);
    replay = (await client.webhookEndpoints.replayProgress(id)) ?? replay;
  }
  return replay;
}
