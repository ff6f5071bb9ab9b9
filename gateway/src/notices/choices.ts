import type { Owner } from '../identity/owner.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import type { NoticeChannel } from '../webhooks/endpoints/notice-endpoints.ts';
import { channels, type Kind, kindsOf } from './kinds.ts';

/** What a person chose for each channel, of one integration and mode. */
export type Choices = Record<NoticeChannel, Kind[]>;

/** What this person chose; nothing where they chose nothing. */
export async function readChoices(reader: Reader, owner: Owner, accountId: string): Promise<Choices> {
  const { rows } = await reader.query<{ channel: NoticeChannel; kinds: Kind[] }>(
    'SELECT channel, kinds FROM notice_choices WHERE account_id = $1 AND integration_id = $2 AND mode = $3',
    [accountId, owner.integrationId, owner.mode],
  );
  const chosen = new Map(rows.map(({ channel, kinds }) => [channel, kinds]));
  const of = (channel: NoticeChannel) => chosen.get(channel) ?? [];
  return { mail: of('mail'), day: of('day'), telegram: of('telegram'), push: of('push') };
}

/** Keeps what a person chose; `followChoices` makes it so. What a channel cannot tell is left out. */
export async function writeChoices(
  tx: Tx,
  owner: Owner,
  accountId: string,
  choices: Choices,
): Promise<Choices> {
  const kept = (channel: NoticeChannel) => kindsOf(channel).filter((kind) => choices[channel].includes(kind));
  for (const channel of channels) {
    await tx.query(
      `INSERT INTO notice_choices (account_id, integration_id, mode, channel, kinds) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, integration_id, mode, channel) DO UPDATE SET kinds = excluded.kinds`,
      [accountId, owner.integrationId, owner.mode, channel, kept(channel)],
    );
  }
  return { mail: kept('mail'), day: kept('day'), telegram: kept('telegram'), push: kept('push') };
}
