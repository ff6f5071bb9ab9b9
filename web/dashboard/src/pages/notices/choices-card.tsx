import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { language } from '../../texts/language.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import type { Channel, Kind, NoticeChoices, NoticePerson } from './queries.ts';
import { channelNames, channels, kindNames, kinds } from './words.ts';

type Draft = Record<Channel, readonly Kind[]>;

const draftOf = ({ mail, day, telegram, push }: NoticeChoices): Draft => ({
  mail: mail.kinds,
  day: day.kinds,
  telegram: telegram.kinds,
  push: push.kinds,
});

/** The grid of what by what. */
export function ChoicesCard({
  choices,
  person,
}: {
  choices: NoticeChoices;
  person: NoticePerson;
}): ReactNode {
  const path = useScope().path('/notices');
  const [draft, setDraft] = useState<Draft>(() => draftOf(choices));
  const save = useAct(() => api(path, { method: 'PUT', body: { ...draft, language } }), {
    changes: [path],
    done: t('Notices saved'),
  });
  const toggle = (channel: Channel, kind: Kind) => {
    const has = draft[channel].includes(kind);
    const next = has ? draft[channel].filter((each) => each !== kind) : [...draft[channel], kind];
    setDraft({ ...draft, [channel]: next });
  };
  const shown = channels.filter((channel) => isThere(channel, person) || draft[channel].length > 0);
  const isEmpty = channels.every((channel) => draft[channel].length === 0);
  const columns: Column<Kind>[] = [
    {
      key: 'kind',
      head: t('What'),
      className: 'max-sm:min-w-20 max-sm:pr-1 max-sm:pl-3',
      cell: (kind) => kindNames[kind],
    },
    ...shown.map(
      (channel): Column<Kind> => ({
        key: channel,
        head: (
          <span className="block whitespace-normal hyphens-auto max-sm:text-xs">{channelNames[channel]}</span>
        ),
        className: 'max-sm:px-1.5',
        cell: (kind) => (
          <Box
            label={t('{what}: {how}', { what: kindNames[kind], how: channelNames[channel] })}
            isChosen={draft[channel].includes(kind)}
            isOffered={choices[channel].offered.includes(kind) && isThere(channel, person)}
            onChange={() => toggle(channel, kind)}
          />
        ),
      }),
    ),
  ];
  return (
    <Card
      title={t('What you are told')}
      description={t(
        'You choose for yourself, for this integration. No message holds a link that gives access, or anything about a customer.',
      )}
    >
      {isEmpty && (
        <p className="text-sm text-quiet">{t('You are told nothing yet. Tick what you want to hear of.')}</p>
      )}
      <Table caption={t('Notices')} columns={columns} rows={kinds} rowKey={(kind) => kind} />
      <Hints person={person} />
      <div>
        <Button variant="primary" pending={save.isPending} onClick={() => save.mutate()}>
          {t('Save')}
        </Button>
      </div>
    </Card>
  );
}

/** Whether this installation and this account have the channel at all. */
function isThere(channel: Channel, person: NoticePerson): boolean {
  if (channel === 'telegram') return person.telegram.has_bot;
  return channel === 'push' || person.email_verified;
}

type BoxProps = { label: string; isChosen: boolean; isOffered: boolean; onChange: () => void };

function Box({ label, isChosen, isOffered, onChange }: BoxProps): ReactNode {
  // What was chosen while it was offered can still be given up.
  if (!isOffered && !isChosen) return null;
  return (
    <input
      type="checkbox"
      className="relative z-1 block size-5 accent-accent"
      aria-label={label}
      checked={isChosen}
      onChange={onChange}
    />
  );
}

function Hints({ person }: { person: NoticePerson }): ReactNode {
  const hints = [
    !person.email_verified && t('Mails come once your e-mail address is confirmed.'),
    person.email_verified &&
      !person.sends_mail &&
      t('This installation has no mail server: its mails stay in the outbox of its operators.'),
    !person.telegram.has_bot && t('This installation has no Telegram bot.'),
  ].filter((hint) => hint !== false);
  if (hints.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm text-quiet">
      {hints.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  );
}
