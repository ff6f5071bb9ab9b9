import type { ServerResponse } from 'node:http';
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
/** A client that has not read what was sent this many beats ago is dropped. */
const patientBeats = 3;
/** After so many beats without a change the stream ends. A page that is still there opens another one at once. */
const idleBeats = 90;

/** A page that reads this closes its stream, since nothing more will come. */
const overEvent = 'event: over\ndata: {}\n\n';

/**
 * Streams of payment states by server-sent events; `id:` is the sequence, so a client resumes where it was. A state is
 * written only when the client has read the one before: for a slow client at most one state is kept.
 */
export function createStreams(deps: { hints: Hints; places: StreamPlaces; now: Clock }): Streams {
  const { hints, places, now } = deps;
  const opened = new Set<() => void>();
  let closed = false;

  return {
    open(request, reply, payment, read) {
      let sent = Number.parseInt(String(request.headers['last-event-id'] ?? ''), 10) || 0;
      if (sent === payment.version && isOver(payment, now())) {
        // This status tells a browser that connected again that nothing more will come.
        void reply.code(204).send();
        return;
      }
      const leave = places.enter(request.ip, payment.id);
      const raw = startStream(reply);
      raw.on('close', leave);
      const client = createClient(raw, () => reading.wake());
      let beatsIdle = 0;

      function push(current: CheckoutPayment, before = ''): void {
        // The stream may have ended while the payment was read.
        if (raw.writableEnded || raw.destroyed) return;
        if (client.isBehind()) {
          client.miss();
          return;
        }
        const isNew = current.version !== sent;
        const state = isNew ? `id: ${current.version}\ndata: ${JSON.stringify(stateOf(current))}\n\n` : '';
        const over = isOver(current, now());
        const text = before + state + (over ? overEvent : '');
        if (isNew) beatsIdle = 0;
        sent = current.version;
        if (text !== '') client.write(text);
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
        if (client.isStuck()) {
          raw.destroy();
          return;
        }
        if (raw.writableEnded) return;
        if (++beatsIdle > idleBeats) end();
        else if (!client.isBehind()) client.write(': beat\n\n');
        reading.wake();
      }, beatMs);
      /** The client may still read what was written; `isStuck` ends a wait for it. */
      function end(): void {
        unsubscribe();
        opened.delete(close);
        raw.end();
      }
      const close = (): void => {
        end();
        if (client.isBehind()) raw.destroy();
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

/** Sends the head of the answer. From here on fastify leaves the answer alone. */
function startStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  return raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

/** The client of a stream, and how far it has read. */
type Client = {
  write(text: string): void;
  /** It has not read yet what was written last. */
  isBehind(): boolean;
  /** Something was not written because the client is behind: `onCaughtUp` is called when it no longer is. */
  miss(): void;
  /** Counts a beat. Whether the client has been behind for too many. */
  isStuck(): boolean;
};

function createClient(raw: ServerResponse, onCaughtUp: () => void): Client {
  let isBehind = false;
  let hasMissed = false;
  let beatsBehind = 0;
  return {
    write(text) {
      isBehind = true;
      raw.write(text, () => {
        isBehind = false;
        beatsBehind = 0;
        if (hasMissed) onCaughtUp();
        hasMissed = false;
      });
    },
    isBehind: () => isBehind,
    miss() {
      hasMissed = true;
    },
    isStuck() {
      if (isBehind) beatsBehind += 1;
      return isBehind && beatsBehind >= patientBeats;
    },
  };
}
