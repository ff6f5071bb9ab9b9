import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Hints } from '../kit/db/hints.ts';
import { createWaker } from '../kit/db/waker.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { stateOf } from './state-json.ts';

export type Streams = {
  /** Answers with a stream of the payment's states: the current one at once, and a new one at every change. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    payment: CheckoutPayment,
    read: () => Promise<CheckoutPayment | null>,
  ): void;
  /** Ends every open stream, and each that is opened later. The pages then connect to another process. */
  close(): void;
};

/** How often the state is read without a hint, because hints may be lost. The beat also keeps proxies from closing the stream. */
const beatMs = 10_000;

/** Streams of payment states by server-sent events; `id:` is the sequence, so a client resumes where it was. */
export function createStreams(hints: Hints): Streams {
  const opened = new Set<() => void>();
  let closed = false;

  return {
    open(request, reply, payment, read) {
      reply.hijack();
      const { raw } = reply;
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value);
      }
      raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      let sent = Number.parseInt(String(request.headers['last-event-id'] ?? ''), 10) || 0;

      function push(current: CheckoutPayment): void {
        // The stream may have ended while the payment was read.
        if (current.version === sent || raw.writableEnded) return;
        sent = current.version;
        raw.write(`id: ${sent}\ndata: ${JSON.stringify(stateOf(current))}\n\n`);
      }
      raw.write('retry: 1000\n\n');
      push(payment);
      if (closed) {
        raw.end();
        return;
      }
      const reading = createWaker(
        async () => {
          const current = await read();
          if (current) push(current);
        },
        (error) => request.log.warn({ err: error }, 'a payment could not be read for its stream'),
      );
      const unsubscribe = hints.on('payment', (id) => {
        if (id === payment.id) reading.wake();
      });
      const beat = setInterval(() => {
        raw.write(': beat\n\n');
        reading.wake();
      }, beatMs);
      const close = (): void => {
        clearInterval(beat);
        unsubscribe();
        opened.delete(close);
        raw.end();
      };
      opened.add(close);
      raw.on('close', close);
      // The payment may have changed after it was read and before this stream subscribed to hints.
      reading.wake();
    },
    close() {
      closed = true;
      for (const close of opened) close();
    },
  };
}
