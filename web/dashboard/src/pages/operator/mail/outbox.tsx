import { CircleAlert, CircleCheck, EllipsisVertical, Hourglass, Mail } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { t } from '../../../texts/t.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Menu } from '../../../ui/button/menu.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { List } from '../../../ui/list/list.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { KindSelect } from '../kind-select.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { MailDrawer } from './drawer.tsx';
import { type MailLine, type OpenedMail, openMail, useMails, useRetryMail } from './queries.ts';
import { TestMailButton } from './test-mail.tsx';

const states = [
  { value: '', label: t('All mails') },
  { value: 'waiting', label: t('Waiting') },
  { value: 'failed', label: t('Failed') },
  { value: 'sent', label: t('Sent') },
] as const;

/** Mails that wait, failed or were sent. */
export function Outbox(): ReactNode {
  const [{ cursor, kind }] = useOperatorSearch();
  const [opened, setOpened] = useState<OpenedMail>();
  const state = states.find(({ value }) => value === kind)?.value || undefined;
  const mails = useMails({ state, cursor });

  async function open({ id }: MailLine): Promise<void> {
    try {
      setOpened(await openMail(id));
    } catch (error) {
      toast(messageOf(error), 'lost');
    }
  }

  return (
    <>
      {mails.data?.has_server === false && (
        <Banner tone="waiting" title={t('No mail server is set up')}>
          {t(
            'Mails wait here and are sent once the setting SMTP_URL names a server. Until then the command florin mails show shows those whose links give access.',
          )}
        </Banner>
      )}
      <div className="flex flex-wrap items-end justify-between gap-3">
        <KindSelect choices={states} />
        <TestMailButton />
      </div>
      <List
        list={mails}
        caption={t('Mails')}
        columns={columnsWith(open)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Mail} title={t('No mail')}>
            {t('Confirmations of addresses, new passwords, invitations and notices are listed here.')}
          </EmptyState>
        }
      />
      {opened && <MailDrawer mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function MailMenu({ mail, onOpen }: { mail: MailLine; onOpen: () => void }): ReactNode {
  const { mutate: retry } = useRetryMail();
  return (
    <Menu
      trigger={
        <IconButton
          icon={EllipsisVertical}
          label={t('What to do with the mail to {recipient}', { recipient: mail.recipient })}
        />
      }
      items={[
        {
          label: readingOf(mail),
          disabled: !mail.has_text || mail.is_hidden,
          onSelect: onOpen,
        },
        { label: t('Try it now'), disabled: mail.state === 'sent', onSelect: () => retry(mail.id) },
      ]}
    />
  );
}

function readingOf({ has_text, is_hidden }: MailLine): string {
  if (!has_text) return t('Its text was deleted');
  return is_hidden ? t('Only its recipient may read it') : t('Read it');
}

const looks = {
  waiting: { tone: 'waiting', icon: Hourglass, words: t('Waiting') },
  sent: { tone: 'paid', icon: CircleCheck, words: t('Sent') },
  failed: { tone: 'lost', icon: CircleAlert, words: t('Failed') },
} as const;

function columnsWith(open: (mail: MailLine) => void): Column<MailLine>[] {
  return [
    {
      key: 'mail',
      head: t('Mail'),
      grow: true,
      className: 'min-w-40',
      cell: ({ recipient, subject, last_error, state }) => (
        <span className="grid">
          <span className="truncate font-semibold">{subject}</span>
          <span className="truncate text-quiet">{recipient}</span>
          <span className="text-quiet sm:hidden">{looks[state].words}</span>
          {last_error !== null && state !== 'sent' && (
            <span className="truncate text-lost" title={last_error}>
              {last_error}
            </span>
          )}
        </span>
      ),
    },
    { key: 'at', head: t('Written'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      key: 'state',
      head: t('State'),
      from: 'sm',
      cell: ({ state }) => (
        <Badge tone={looks[state].tone} icon={looks[state].icon}>
          {looks[state].words}
        </Badge>
      ),
    },
    { key: 'tries', head: t('Tries'), align: 'end', from: 'md', cell: ({ attempts }) => attempts },
    {
      key: 'acts',
      head: <span className="sr-only">{t('What to do')}</span>,
      align: 'end',
      cell: (mail) => <MailMenu mail={mail} onOpen={() => open(mail)} />,
    },
  ];
}
