import { Megaphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { RadioGroup } from '../../../ui/form/radio-group.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { Card, Section } from '../../../ui/layout/card.tsx';
import { Rows } from '../../../ui/list/rows.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { useOperatorSearch } from '../use-operator-search.ts';
import {
  type Announcement,
  type AnnouncementTone,
  announcementsPath,
  sendAnnouncement,
  useAnnouncements,
  useEndAnnouncement,
} from './queries.ts';

/** The banner above every page of the dashboard. */
export function Announcements(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const announcements = useAnnouncements(cursor);
  return (
    <Loaded query={announcements}>
      {({ items, next_cursor }) => {
        const current = items.find(({ ended_at }) => ended_at === null);
        const past = items.filter(({ ended_at }) => ended_at !== null);
        return (
          <>
            <AnnouncementForm key={current?.id ?? 'none'} current={current} />
            {past.length > 0 && (
              <Section title={t('Earlier')}>
                <Rows
                  page={{ items: past, next_cursor }}
                  caption={t('Earlier announcements')}
                  columns={columns}
                  rowKey={({ id }) => id}
                />
              </Section>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

const tones = [
  { value: 'quiet', label: t('Quiet'), help: t('News. Nobody has to do anything.') },
  { value: 'waiting', label: t('Warning'), help: t('Something will change, or is slower than usual.') },
  { value: 'lost', label: t('Problem'), help: t('Something does not work.') },
] as const;

const bannerTone = { quiet: 'info', waiting: 'waiting', lost: 'lost' } as const;

function AnnouncementForm({ current }: { current: Announcement | undefined }): ReactNode {
  const refresh = useRefresh();
  const { mutate: end, isPending } = useEndAnnouncement();
  const [text, setText] = useState(current?.text ?? '');
  const [tone, setTone] = useState<AnnouncementTone>(current?.tone ?? 'quiet');

  async function send(values: FormValues): Promise<void> {
    await sendAnnouncement(current?.id, { text: values.text ?? '', tone });
    toast(current ? t('The announcement is changed.') : t('Everybody in the dashboard sees it now.'));
    await refresh(announcementsPath, 'session');
  }

  return (
    <Card
      title={current ? t('Shown now') : t('New announcement')}
      description={t(
        'A banner above every page of the dashboard, for everybody who is signed in. Customers do not see it.',
      )}
      actions={
        current && (
          <Button size="small" pending={isPending} onClick={() => end(current.id)}>
            {t('End it')}
          </Button>
        )
      }
    >
      <Form onSend={send}>
        <Textarea
          name="text"
          label={t('Text')}
          help={t('Plain text. {left} characters are left.', { left: 300 - text.length })}
          required
          rows={3}
          maxLength={300}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <RadioGroup name="tone" label={t('Tone')} choices={tones} value={tone} onChange={setTone} />
        {text.trim() !== '' && (
          <div className="grid gap-1.5">
            <p className="text-sm text-quiet">{t('Preview')}</p>
            <Banner tone={bannerTone[tone]}>{text}</Banner>
          </div>
        )}
        <div>
          <SubmitButton>
            <Megaphone size={16} aria-hidden /> {current ? t('Change it') : t('Announce')}
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

const columns: Column<Announcement>[] = [
  { key: 'text', head: t('Text'), className: 'min-w-48', cell: ({ text }) => text },
  {
    key: 'tone',
    head: t('Tone'),
    from: 'sm',
    cell: ({ tone }) => <Badge tone={tone}>{tones.find(({ value }) => value === tone)?.label}</Badge>,
  },
  { key: 'from', head: t('From'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
  { key: 'to', head: t('Ended'), align: 'end', cell: ({ ended_at }) => <Time at={ended_at} /> },
];
