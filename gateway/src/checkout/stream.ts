import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Hints } from '../kit/hints.ts';
import type { CheckoutPayment } from '../payments/checkout-payment.ts';
import { stateOf } from './state-json.ts';

export type Streams = {
  /** Answers with a stream of the payment's state: at once, and at every change. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: CheckoutPayment,
    read: () => Promise<CheckoutPayment | null>,
    headers: Record<string, string>,
  ): void;
  /** Ends every open stream; the pages come back to another process. */
  close(): void;
};

/** A hint may be lost: the state is read again this often. The beat also keeps proxies from closing the stream. */
const beatMs = 10_000;

/** Streams of payment states by server-sent events; `id:` is the sequence, so a client resumes where it was. */
export function createStreams(hints: Hints): Streams {
  const opened = new Set<() => void>();

  return {
    open(request, reply, payment, read, headers) {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
      let sent = Number.parseInt(String(request.headers['last-event-id'] ?? ''), 10) || 0;

      function push(current: CheckoutPayment): void {
        if (current.version === sent) return;
        sent = current.version;
        raw.write(`id: ${sent}\ndata: ${JSON.stringify(stateOf(current))}\n\n`);
      }
      // One read at a time: a change that comes meanwhile is read once more afterwards.
      let reading = false;
      let changed = false;
      async function refresh(): Promise<void> {
        changed = true;
        if (reading) return;
        reading = true;
        try {
          while (changed) {
            changed = false;
            const current = await read();
            if (current) push(current);
          }
        } catch (error) {
          request.log.warn({ err: error }, 'a payment could not be read for its stream');
        }
        reading = false;
      }

      raw.write('retry: 1000\n\n');
      push(payment);
      const unsubscribe = hints.on('payment', (id) => {
        if (id === payment.id) void refresh();
      });
      const beat = setInterval(() => {
        raw.write(': beat\n\n');
        void refresh();
      }, beatMs);
      const close = (): void => {
        clearInterval(beat);
        unsubscribe();
        opened.delete(close);
        raw.end();
      };
      opened.add(close);
      raw.on('close', close);
    },
    close() {
      for (const close of opened) close();
    },
  };
}
