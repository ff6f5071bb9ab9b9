import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { findConnection, findUrl, type Given } from '../merchant/connection.ts';
import { note } from '../output/print.ts';
import { openGateway, readDocument } from './gateway.ts';
import { createMcpServer } from './http.ts';
import { openSession } from './server.ts';

type Options = Given & { allowWrites?: boolean; http?: boolean; host: string; port: number };

/** Serves MCP on standard input and output with one key, until the input ends. */
export async function serveStdio({ allowWrites: writes = false, ...given }: Options): Promise<void> {
  const { url, moneyKey: secret } = findConnection(given, process.env);
  const document = await readDocument(url);
  const session = await openSession({ document, gateway: openGateway(url, secret), writes });
  await session.connect(new StdioServerTransport());
  process.stdin.once('end', () => void session.close());
}

/** Serves MCP by HTTP until SIGTERM or Ctrl-C; each request has its own key. */
export async function serveHttp({
  allowWrites: writes = false,
  host,
  port,
  ...given
}: Options): Promise<void> {
  if (given.key !== undefined)
    throw new Error('by HTTP each agent sends its own key, in Authorization: leave --key out');
  const url = findUrl(given, process.env);
  const server = createMcpServer({ url, document: await readDocument(url), writes });
  server.listen(port, host);
  await once(server, 'listening');
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const { address, port: bound, family } = server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  note(`MCP for ${url} is at http://${shown}:${bound}/mcp`);
}
