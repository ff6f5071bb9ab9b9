import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Code } from '../../ui/display/code.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { type NoticePerson, personPath, type TelegramCode, useBotName, usePerson } from './queries.ts';

/** The person's chat with the operator's bot, where there is one. */
export function TelegramCard({ person: { telegram } }: { person: NoticePerson }): ReactNode {
  return (
    <Card title={t('Telegram')} description={t('For all integrations of your account.')}>
      {telegram.linked === null ? <Link /> : <Linked {...telegram.linked} />}
    </Card>
  );
}

function Linked({ name, since }: { name: string; since: string }): ReactNode {
  const unlink = useAct(() => api(`${personPath}/telegram`, { method: 'DELETE', body: {} }), {
    changes: [personPath, '/console/integrations'],
    done: t('Telegram unlinked'),
  });
  return (
    <>
      <p className="text-sm">
        {rich('Linked to {name}, {time}', { name: <strong>{name}</strong>, time: <Time at={since} /> })}
      </p>
      <div>
        <Button size="small" pending={unlink.isPending} onClick={() => unlink.mutate()}>
          {t('Unlink')}
        </Button>
      </div>
    </>
  );
}

function Link(): ReactNode {
  const [code, setCode] = useState<TelegramCode | null>(null);
  const make = useAct(async () =>
    setCode(await api<TelegramCode>(`${personPath}/telegram-code`, { body: {} })),
  );
  return (
    <>
      {code === null ? (
        <p className="text-sm text-quiet">{t('No chat is linked.')}</p>
      ) : (
        <HowToLink code={code} />
      )}
      <div>
        <Button size="small" pending={make.isPending} onClick={() => make.mutate()}>
          {code === null ? t('Link a chat') : t('Create a new code')}
        </Button>
      </div>
    </>
  );
}

/** Shows the code, and waits until it was sent to the bot. What the choices say of the chat is then read again. */
function HowToLink({ code: { code, expires_at } }: { code: TelegramCode }): ReactNode {
  usePerson(true);
  const client = useQueryClient();
  const path = useScope().path('/notices');
  // The component goes as soon as the chat is linked.
  useEffect(() => () => void client.invalidateQueries({ queryKey: [path] }), [client, path]);
  const bot = useBotName().data?.name ?? null;
  return (
    <div className="grid gap-3 text-sm">
      <p>
        {bot === null
          ? rich('Send this to the bot before {time}. It is good once.', { time: <Time at={expires_at} /> })
          : rich('Send this to {bot} before {time}. It is good once.', {
              bot: <strong>@{bot}</strong>,
              time: <Time at={expires_at} />,
            })}
      </p>
      <Code text={`/start ${code}`} label={t('Message to the bot')} />
      {bot !== null && (
        <div>
          <a
            className={buttonClass('primary', 'small')}
            href={`https://t.me/${bot}?start=${code}`}
            target="_blank"
            rel="noreferrer"
          >
            {t('Open Telegram')}
          </a>
        </div>
      )}
    </div>
  );
}
