import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Hints } from '../kit/db/hints.ts';
import { createWaker } from '../kit/db/waker.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { isOver, stateOf } from './state-json.ts';
import type { StreamPlaces } from './stream-places.ts';

export type Streams = {
  /**
   * Answers with a stream of the payment's states: the current one at once, and a new one at every change, until the payment
   * is over. Throws `rate_limited` where there is no place for one.
   */
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
/** A client that has not taken in what was sent this many beats ago is dropped. */
const patientBeats = 3;
/** After so many beats without a change the stream ends. A page that is still there opens another one at once. */
const idleBeats = 90;

/** A page that reads this closes its stream: there is nothing more to come. */
const overEvent = 'event: over\ndata: {}\n\n';

/**
 * Streams of payment states by server-sent events; `id:` is the sequence, so a client resumes where it was. Nothing is written
 * before the client has taken in what was written before: of a slow one at most one state is kept.
 */
export function createStreams(deps: { hints: Hints; places: StreamPlaces; now: Clock }): Streams {
  const { hints, places, now } = deps;
  const opened = new Set<() => void>();
  let closed = false;

  return {
    open(request, reply, payment, read) {
      let sent = Number.parseInt(String(request.headers['last-event-id'] ?? ''), 10) || 0;
      if (sent === payment.version && isOver(payment, now())) {
        // By this status a browser that came back for more knows that there is none.
        void reply.code(204).send();
        return;
      }
      const leave = places.enter(request.ip, payment.id);
      reply.hijack();
      const { raw } = reply;
      raw.on('close', leave);
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value);
      }
      raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      let isTaking = false;
      let hasMissed = false;
      let beatsBehind = 0;
      let beatsIdle = 0;

      function write(text: string): void {
        isTaking = true;
        raw.write(text, () => {
          isTaking = false;
          beatsBehind = 0;
          if (hasMissed) reading.wake();
          hasMissed = false;
        });
      }
      function push(current: CheckoutPayment, before = ''): void {
        // The stream may have ended while the payment was read.
        if (raw.writableEnded || raw.destroyed) return;
        if (isTaking) {
          hasMissed = true;
          return;
        }
        const isNew = current.version !== sent;
        const state = isNew ? `id: ${current.version}\ndata: ${JSON.stringify(stateOf(current))}\n\n` : '';
        const over = isOver(current, now());
        const text = before + state + (over ? overEvent : '');
        if (isNew) beatsIdle = 0;
        sent = current.version;
        if (text !== '') write(text);
        if (over) end();
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
        if (isTaking && ++beatsBehind >= patientBeats) {
          raw.destroy();
          return;
        }
        if (raw.writableEnded) return;
        if (++beatsIdle > idleBeats) end();
        else if (!isTaking) write(': beat\n\n');
        reading.wake();
      }, beatMs);
      /** What was written is still taken in, but not waited for without end. */
      function end(): void {
        unsubscribe();
        opened.delete(close);
        raw.end();
      }
      const close = (): void => {
        end();
        if (isTaking) raw.destroy();
      };
      opened.add(close);
      raw.on('close', () => {
        clearInterval(beat);
        end();
      });
      push(payment, 'retry: 1000\n\n');
      if (closed) end();
      // The payment may have changed after it was read and before this stream subscribed to hints.
      else reading.wake();
    },
    close() {
      closed = true;
      for (const close of opened) close();
    },
  };
}
