import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type {
  BotName,
  NoticeChoices,
  NoticePerson,
  TelegramCode,
} from '../../../../../gateway/src/notices/api/answers.ts';
import { api } from '../../api/client.ts';
import { everyMs, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';

export type { BotName, NoticeChoices, NoticePerson, TelegramCode };

export type Channel = keyof NoticeChoices;
export type Kind = NoticeChoices['mail']['kinds'][number];

/** A person's own ways to be told. */
export const personPath = '/console/account/notices';

/** Read every few seconds while something is awaited, such as the chat that a code links. */
export function usePerson(isAwaited = false): UseQueryResult<NoticePerson> {
  return useQuery({
    queryKey: [personPath, {}],
    queryFn: ({ signal }) => api<NoticePerson>(personPath, { signal }),
    refetchInterval: isAwaited ? everyMs : false,
  });
}

/** What the person is told of the open integration; read again while a message is on its way. */
export function useChoices(): UseQueryResult<NoticeChoices> {
  const path = useScope().path('/notices');
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => api<NoticeChoices>(path, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? everyMs : false),
  });
}

/** A first try takes a moment; after it failed the next one is a minute later at least. */
function isOnItsWay(choices: NoticeChoices): boolean {
  return Object.values(choices).some(({ last }) => last?.state === 'waiting' && last.error === null);
}

export function useBotName(): UseQueryResult<BotName> {
  return useRead<BotName>(`${personPath}/telegram-bot`);
}
