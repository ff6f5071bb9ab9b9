import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import {
  lastNoticeResults,
  type NoticeChannel,
  type NoticeEndpoint,
  type NoticeResult,
  noticeEndpointsOf,
} from '../../webhooks/endpoints/notice-endpoints.ts';
import { writeNotice } from '../../webhooks/endpoints/notice-event.ts';
import { readChoices, writeChoices } from '../choices.ts';
import { noticeErrors } from '../errors.ts';
import { type FollowDeps, followChoices } from '../follow.ts';
import { channels, kinds, kindsOf } from '../kinds.ts';
import { noticeLanguages } from '../languages.ts';
import { lockPerson, setFirstLanguage } from '../people.ts';
import { NoticeChoices, ToldTest } from './answers.ts';

export type ChoiceRouteDeps = FollowDeps & { db: Database; now: Clock };

const chosen = Type.Array(Type.Enum([...kinds]), { maxItems: kinds.length });
const readBody = fieldReader(
  Type.Object({
    ...{ mail: chosen, day: chosen, telegram: chosen, push: chosen },
    /** That of the page, for a person who has not said in which language they are told. */
    language: Type.Optional(Type.Enum([...noticeLanguages])),
  }),
);
const readTest = fieldReader(Type.Object({ channel: Type.Enum([...channels]) }));

/** What a person is told of an integration, in one mode. */
export function noticeChoiceRoutes(dashboard: Console, deps: ChoiceRouteDeps): void {
  const { db, hints, now } = deps;
  const may = 'get notices';

  dashboard.get('mode', '/notices', { may, answer: NoticeChoices }, async ({ owner, session }) => ({
    message: 'Notices',
    data: await choicesOf(db, owner, session.account.id),
  }));

  dashboard.write('PUT', 'mode', '/notices', { may, answer: NoticeChoices }, async (tx, call) => {
    const { owner, session } = call;
    const { id } = session.account;
    const { language, ...wanted } = readBody(call.body);
    await lockPerson(tx, id);
    if (language) await setFirstLanguage(tx, id, language);
    const before = await readChoices(tx, owner, id);
    const after = await writeChoices(tx, owner, id, wanted);
    await followChoices(tx, deps, id, { now: now(), restarted: owner });
    const change = { action: 'chose notices', subject: { kind: 'account', id }, before, after };
    return { message: 'Notices changed', data: await choicesOf(tx, owner, id), change };
  });

  dashboard.write('POST', 'mode', '/notices/test', { may, answer: ToldTest }, async (tx, call) => {
    const { owner, session } = call;
    const { channel } = readTest(call.body);
    const { id } = session.account;
    const told = (await ofOwner(tx, owner, id)).filter(
      (each) => each.channel === channel && each.status === 'active',
    );
    if (told.length === 0) throw refuse(noticeErrors.notice_channel_missing);
    const body = JSON.stringify({ event_type: 'notice_test' });
    for (const endpoint of told) {
      await writeNotice(tx, hints, endpoint, { type: 'notice_test', body, at: now() });
    }
    const change = { action: 'sent a test notice', subject: { kind: 'account', id }, after: { channel } };
    return { message: 'Test notice queued', data: { count: told.length }, change };
  });
}

async function ofOwner(reader: Reader, owner: Owner, accountId: string): Promise<NoticeEndpoint[]> {
  const all = await noticeEndpointsOf(reader, accountId);
  return all.filter(
    ({ integrationId, mode }) => integrationId === owner.integrationId && mode === owner.mode,
  );
}

async function choicesOf(reader: Reader, owner: Owner, accountId: string): Promise<NoticeChoices> {
  const choices = await readChoices(reader, owner, accountId);
  const endpoints = await ofOwner(reader, owner, accountId);
  const results = await lastNoticeResults(
    reader,
    endpoints.map(({ id }) => id),
  );
  const of = (channel: NoticeChannel) => {
    const own = endpoints.filter((each) => each.channel === channel);
    return {
      kinds: choices[channel],
      offered: [...kindsOf(channel)],
      is_on: own.some(({ status }) => status === 'active'),
      is_stopped: own.some(({ status }) => status === 'disabled'),
      last: newestOf(own.flatMap(({ id }) => results.get(id) ?? [])),
    };
  };
  return { mail: of('mail'), day: of('day'), telegram: of('telegram'), push: of('push') };
}

const states = { pending: 'waiting', delivered: 'sent', failed: 'failed' } as const;

function newestOf(results: readonly NoticeResult[]): NoticeChoices['mail']['last'] {
  const newest = results.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  if (!newest) return null;
  return { state: states[newest.status], at: newest.at.toISOString(), error: newest.error };
}
