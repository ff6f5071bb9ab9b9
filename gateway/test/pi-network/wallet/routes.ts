import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { textOf } from '../../pi-platform/http.ts';
import { browserScript } from '../../pi-platform/sdk-script.ts';
import { renderWallet } from './view.ts';
import type { SendForm, Wallet, WalletProblem } from './wallet.ts';

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // Without it the browser hides where the page's own form comes from.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

const styles = [
  join(import.meta.dirname, '../../../../web/tokens.css'),
  join(import.meta.dirname, '../browser/wallet.css'),
];

/** Answers what belongs to the wallet's page, and says so where its network does not answer; false for anything else. */
export async function answerWallet(
  wallet: Wallet,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  try {
    return await handle(wallet, request, response);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const plain = { ...headers, 'content-type': 'text/plain; charset=utf-8' };
    response.writeHead(502, plain).end(`The network of this wallet does not answer: ${why}\n`);
    return true;
  }
}

async function handle(wallet: Wallet, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const send = (type: string, body: string) =>
    response.writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
  switch (`${request.method} ${pathname}`) {
    case 'GET /wallet':
      send('text/html', await pageOf(wallet, searchParams));
      return true;
    case 'GET /wallet/wallet.css':
      send('text/css', (await Promise.all(styles.map((path) => readFile(path, 'utf8')))).join('\n'));
      return true;
    case 'GET /wallet/wallet.js':
      send('text/javascript', await browserScript(join(import.meta.dirname, '../browser'), 'wallet'));
      return true;
    case 'POST /wallet/send': {
      const query = await sendFrom(wallet, request);
      if (query) response.writeHead(303, { ...headers, location: `/wallet?${query}` }).end();
      else response.writeHead(403, headers).end();
      return true;
    }
    default:
      return false;
  }
}

async function pageOf(wallet: Wallet, query: URLSearchParams): Promise<string> {
  const text = (name: string) => query.get(name) ?? '';
  return renderWallet({
    wallet: await wallet.view(),
    form: { to: text('to'), amount: text('amount'), memo: text('memo') },
    order: randomUUID(),
    sent: query.get('sent'),
    problem: query.get('problem') as WalletProblem | null,
  });
}

/** Sends what the form says; the query of the page that tells what came of it. Null: another site sent the form. */
async function sendFrom(wallet: Wallet, request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!['same-origin', undefined].includes(request.headers['sec-fetch-site'] as string | undefined))
    return null;
  const fields = new URLSearchParams(await textOf(request));
  const text = (name: string) => fields.get(name) ?? '';
  const form: SendForm = { to: text('to'), amount: text('amount'), memo: text('memo') };
  const sent = await wallet.send(text('order'), form);
  return 'hash' in sent
    ? new URLSearchParams({ sent: sent.hash })
    : new URLSearchParams({ problem: sent.problem, ...form });
}
