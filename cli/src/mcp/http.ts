import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OpenApi } from './document.ts';
import { KeyRefused, openGateway } from './gateway.ts';
import { openSession } from './server.ts';

export type HttpOptions = { url: string; document: OpenApi; writes: boolean };

/**
 * Serves MCP by HTTP at `/mcp`. Each request carries a restricted key of its own, so that nobody moves money by a key that
 * they do not have, and nothing is kept between requests. Pages in browsers are refused: an agent sends no Origin.
 */
export function createMcpServer(options: HttpOptions): Server {
  return createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      const [status, why] =
        // Not 401, by which clients begin to sign in: the key that they have is the wrong one.
        error instanceof KeyRefused ? [403, error.message] : [502, 'the gateway cannot be reached'];
      if (!response.headersSent) refuse(response, status, why);
      else response.destroy();
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { url, document, writes }: HttpOptions,
): Promise<void> {
  if (request.headers.origin !== undefined)
    return refuse(response, 403, 'pages in browsers may not call this');
  if (request.url?.replace(/\?.*/, '') !== '/mcp') return refuse(response, 404, 'MCP is at /mcp');
  if (request.method !== 'POST') return refuse(response, 405, 'only POST: nothing is kept between requests');
  const secret = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (secret === undefined)
    return refuse(response, 401, 'send a restricted key: Authorization: Bearer sk_...');
  const session = await openSession({ document, gateway: openGateway(url, secret), writes });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void session.close());
  await session.connect(transport);
  await transport.handleRequest(request, response);
}

const serverError = -32_000;

function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = {
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'POST' }),
  };
  const body = { jsonrpc: '2.0', id: null, error: { code: serverError, message } };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
