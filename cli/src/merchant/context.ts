import { type Client, createClient } from '@florin/sdk';
import { note } from '../output/print.ts';
import { createShow, type Show } from '../output/show.ts';
import { type Connection, findConnection } from './connection.ts';

/** The options of every merchant's command. */
export type SharedOptions = { url?: string; key?: string; json?: boolean };

/** What every merchant's command uses. */
export type Context = Connection & {
  client: Client;
  /** For calls by which money leaves. */
  money: Client;
  json: boolean;
  show: Show;
};

/**
 * Finds the gateway and the key, and makes their client. Throws before any call when a command is only for test mode
 * and the key is a live key.
 */
export function openContext(options: SharedOptions, command: string, isForTests: boolean): Context {
  const connection = findConnection(options, process.env);
  if (isForTests && connection.mode === 'live') {
    throw new Error(
      `${command} is for test mode, and the key is a live one: nothing was sent. Use sk_test_...`,
    );
  }
  if (connection.foundIn !== null) note(`Using the demo of ${connection.foundIn}: ${connection.url}`);
  const { url: baseUrl, secretKey, moneyKey } = connection;
  const client = createClient({ secretKey, baseUrl });
  const money = createClient({ secretKey: moneyKey, baseUrl });
  const json = options.json === true;
  return { ...connection, client, money, json, show: createShow(json) };
}
