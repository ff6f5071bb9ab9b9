import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import type { Channel, NoticeChoices } from './queries.ts';
import { channelNames, channels } from './words.ts';

/** How the last message of each channel went, and a test of each. */
export function ChannelsCard({ choices }: { choices: NoticeChoices }): ReactNode {
  const used = channels.filter((channel) => choices[channel].kinds.length > 0);
  if (used.length === 0) return null;
  return (
    <Card title={t('What was sent last')}>
      <ul className="-my-2 divide-y divide-line">
        {used.map((channel) => (
          <ChannelRow key={channel} channel={channel} state={choices[channel]} />
        ))}
      </ul>
    </Card>
  );
}

type ChannelState = NoticeChoices[Channel];

function ChannelRow({ channel, state }: { channel: Channel; state: ChannelState }): ReactNode {
  const path = useScope().path('/notices');
  const name = channelNames[channel];
  const send = useAct(() => api(`${path}/test`, { body: { channel } }), {
    changes: [path],
    done: t('Test message queued'),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="grid min-w-0 flex-1 basis-48">
        <span className="font-semibold">{name}</span>
        <span className="text-sm break-words text-quiet">{wordsOf(channel, state)}</span>
      </div>
      {state.is_on && (
        <Button
          size="small"
          aria-label={t('Send a test message: {how}', { how: name })}
          pending={send.isPending}
          onClick={() => send.mutate()}
        >
          <Send size={16} aria-hidden /> {t('Send a test message')}
        </Button>
      )}
    </li>
  );
}

function wordsOf(channel: Channel, { is_on, is_stopped, last }: ChannelState): ReactNode {
  if (is_stopped && !is_on) {
    return t(
      'Nothing is sent any more, since every attempt failed for seven days. Save your choice to begin anew.',
    );
  }
  if (!is_on && channel === 'telegram') return t('Link your Telegram below.');
  if (!is_on && channel === 'push') return t('Allow notices on a device below.');
  if (last === null) return t('Nothing was sent yet.');
  const time = <Time at={last.at} />;
  if (last.state === 'sent') return rich('Sent {time}', { time });
  const why = last.error ?? '';
  if (last.state === 'failed') return rich('Failed {time}: {why}', { time, why });
  return last.error === null
    ? t('On its way')
    : rich('Tried {time}, and tried again later: {why}', { time, why });
}
