import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Reader } from '../../../kit/db/db.ts';
import { kitErrors, refuse } from '../../../kit/errors.ts';
import { isUuid } from '../../../kit/ids.ts';

/** A question for a public address. Only a gateway on the same database knows the answer. */
export type Question = { id: string; answer: string };

/** What a gateway saw of the request that asked, and how it reads it. */
export type Seen = {
  answer: string;
  /** The client's address as rate limits count it. */
  client: string;
  /** `X-Forwarded-For` as it came. */
  forwarded: string | null;
  host: string | null;
  trusts_proxy: boolean;
};

/** Where questions are asked, below a public address. */
export const questionPath = '/.well-known/florin-doctor';
/** How long the second half of an answer waits, so that a proxy that holds streams back is noticed. */
export const streamPauseMs = 1_000;
const validSeconds = 60;

/** Makes a question, and forgets those that are over. */
export async function makeQuestion(reader: Reader): Promise<Question> {
  const question = { id: randomUUID(), answer: randomUUID() };
  await reader.query(
    `WITH old AS (DELETE FROM doctor_questions WHERE asked_at < now() - $3 * interval '1 second')
     INSERT INTO doctor_questions (id, answer) VALUES ($1, $2)`,
    [question.id, question.answer, validSeconds],
  );
  return question;
}

async function answerTo(reader: Reader, id: string): Promise<string | null> {
  const { rows } = await reader.query<{ answer: string }>(
    `SELECT answer FROM doctor_questions WHERE id = $1 AND asked_at >= now() - $2 * interval '1 second'`,
    [id, validSeconds],
  );
  return rows[0]?.answer ?? null;
}

export type QuestionDeps = {
  db: Reader;
  guards: { anyone: onRequestAsyncHookHandler };
  trustProxy: boolean;
};

/**
 * Answers the questions of this installation's own doctor, in two halves. Whoever does not know the id of one, of 122 random
 * bits and for a minute, is told that there is nothing.
 */
export function questionRoutes(app: FastifyInstance, { db, guards, trustProxy }: QuestionDeps): void {
  app.get(
    `${questionPath}/:question`,
    { schema: { hide: true }, onRequest: guards.anyone },
    async (request, reply) => {
      const { question = '' } = request.params as { question?: string };
      const answer = isUuid(question) ? await answerTo(db, question) : null;
      if (answer === null) throw refuse(kitErrors.not_found);
      const { 'x-forwarded-for': forwarded, host } = request.headers;
      const seen: Seen = {
        ...{ answer, client: request.ip, trusts_proxy: trustProxy, host: host ?? null },
        forwarded: forwarded === undefined ? null : `${forwarded}`,
      };
      // With the headers of the stream of a payment's page, so that a proxy treats both alike.
      return reply.type('text/event-stream; charset=utf-8').send(Readable.from(halves(seen)));
    },
  );
}

async function* halves(seen: Seen): AsyncGenerator<string> {
  yield `data: ${JSON.stringify(seen)}\n\n`;
  await pause(streamPauseMs);
  yield 'data: end\n\n';
}
