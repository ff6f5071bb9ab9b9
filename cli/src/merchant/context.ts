import { type Client, createClient } from '@florin/sdk';
import { note } from '../output/print.ts';
import { createShow, type Show } from '../output/show.ts';
import { type Connection, findConnection } from './connection.ts';

/** What every command of a merchant takes. */
export type SharedOptions = { url?: string; key?: string; json?: boolean };

/** What every command of a merchant works with. */
export type Context = Connection & { client: Client; json: boolean; show: Show };

/**
 * Finds the gateway and the key, and makes their client. Throws before any call where a command is for test mode
 * alone and the key is a live one.
 */
export function openContext(options: SharedOptions, command: string, isForTests: boolean): Context {
  const connection = findConnection(options, process.env);
  if (isForTests && connection.mode === 'live') {
    throw new Error(
      `${command} is for test mode, and the key is a live one: nothing was sent. Use sk_test_...`,
    );
  }
  if (connection.foundIn !== null) note(`Using the demo of ${connection.foundIn}: ${connection.url}`);
  const client = createClient({ secretKey: connection.secretKey, baseUrl: connection.url });
  const json = options.json === true;
  return { ...connection, client, json, show: createShow(json) };
}
