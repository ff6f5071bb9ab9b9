import type { Transporter } from 'nodemailer';
import { isLoopbackHost } from '../../kit/net/addresses.ts';

const connectMs = 10_000;
const idleMs = 30_000;

/**
 * Opens the way to a mail server; nothing is sent until it is used. `limitMs`: for each step, where less than usual. The
 * library is loaded here: it takes 4 MB.
 */
export async function openTransport(
  url: string,
  { limitMs }: { limitMs?: number } = {},
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // Mails hold links that sign somebody in: to another machine they go only encrypted.
    requireTLS: !isLoopbackHost(new URL(url).hostname),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: limitMs ?? connectMs,
    greetingTimeout: limitMs ?? connectMs,
    socketTimeout: limitMs ?? idleMs,
  });
}
