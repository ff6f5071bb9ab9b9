import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useMay, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { counted, t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner, type BannerTone } from '../../../ui/feedback/banner.tsx';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { explain } from '../deliveries/explain.ts';
import { countText, missedText } from '../replay/replay.ts';
import type { Endpoint, LastFailure } from '../types/endpoint.ts';
import type { ActsProps } from './acts.tsx';
import { useSetStatus } from './use-set-status.ts';

/** Why an endpoint is not sent everything, and the way out of it; nothing where all is well. */
export function EndpointTrouble(props: ActsProps): ReactNode {
  const { status, failing_since, missed_events, catching_up, replay } = props.endpoint;
  if (replay?.status === 'running') {
    return (
      <Progress
        label={t('Sending again')}
        value={replay.total === null ? null : replay.count}
        max={Math.max(1, replay.total ?? 1)}
        text={
          replay.total === null
            ? countText(replay.count)
            : t('{count} of {total}', { count: countText(replay.count), total: countText(replay.total) })
        }
      />
    );
  }
  if (status === 'disabled') return <Disabled {...props} />;
  if (status === 'paused') return <Paused {...props} />;
  return (
    <>
      {failing_since !== null && <Failing endpoint={props.endpoint} since={failing_since} />}
      {missed_events > 0 && (catching_up ? <CatchingUp {...props} /> : <Missed {...props} />)}
    </>
  );
}

function Disabled({ endpoint }: ActsProps): ReactNode {
  const { mode } = useScope();
  const { disabled_reason, missing_since, failing_since, last_failure } = endpoint;
  return (
    <Inactive endpoint={endpoint} tone="lost" title={t('Florin turned this endpoint off')}>
      <p>
        {disabled_reason}
        {failing_since !== null && <> {rich('since {time}', { time: <Time at={failing_since} /> })}</>}.{' '}
        {missing_since && (
          <>{rich('It has been off since {time}.', { time: <Time at={missing_since} exact /> })} </>
        )}
        {t('Those who may manage webhooks get a mail, where this gateway sends mails.')}
      </p>
      {mode === 'test' && <p>{t('In test mode these times go by the test clock.')}</p>}
      {last_failure && <Last failure={last_failure} />}
      <Meanwhile endpoint={endpoint} />
    </Inactive>
  );
}

function Paused({ endpoint }: ActsProps): ReactNode {
  const { missing_since } = endpoint;
  return (
    <Inactive
      endpoint={endpoint}
      tone="info"
      title={
        <>
          {t('Paused')}
          {missing_since && (
            <>
              {' '}
              <Time at={missing_since} />
            </>
          )}
        </>
      }
    >
      <Meanwhile endpoint={endpoint} />
    </Inactive>
  );
}

type InactiveProps = Pick<ActsProps, 'endpoint'> & {
  tone: BannerTone;
  title: ReactNode;
  children: ReactNode;
};

function Inactive({ endpoint, tone, title, children }: InactiveProps): ReactNode {
  const activate = useSetStatus(endpoint);
  const may = useMay('manage webhooks');
  const { missed_events: missed } = endpoint;
  return (
    <Banner
      tone={tone}
      title={title}
      action={
        may && (
          <Button
            size="small"
            variant={missed > 0 ? 'primary' : 'quiet'}
            className="h-auto! min-h-8 py-1 text-left whitespace-normal!"
            pending={activate.isPending}
            onClick={() => activate.mutate('active')}
          >
            {missed > 0
              ? t('Activate and send what was missed ({missed})', { missed: missedText(missed) })
              : t('Activate')}
          </Button>
        )
      }
    >
      <div className="grid gap-1">{children}</div>
    </Banner>
  );
}

/** What is held for it while it is off. */
function Meanwhile({ endpoint: { missed_events: missed } }: { endpoint: Endpoint }): ReactNode {
  if (missed === 0) return <p>{t('No event for it has happened meanwhile.')}</p>;
  return (
    <p>
      {counted(
        missed,
        '1 event has happened meanwhile. It is sent when the endpoint is activated.',
        '{events} events have happened meanwhile. They are sent in their order when the endpoint is activated.',
        { events: missedText(missed) },
      )}
    </p>
  );
}

function Last({ failure }: { failure: LastFailure }): ReactNode {
  const { what, todo } = explain({ ...failure, injected_fault: null, duration_ms: 0 });
  return <p>{rich('Last {time}: {what} {todo}', { time: <Time at={failure.at} />, what, todo })}</p>;
}

function Failing({
  endpoint: { id, last_failure },
  since,
}: {
  endpoint: Endpoint;
  since: string;
}): ReactNode {
  return (
    <Banner
      tone="waiting"
      title={rich('Every attempt fails; the first one did {time}', { time: <Time at={since} /> })}
      action={
        <Link
          to="."
          search={{ tab: 'deliveries', endpoint: id }}
          className={clsx(buttonClass('quiet', 'small'))}
        >
          {t('See why')}
        </Link>
      }
    >
      <div className="grid gap-1">
        {last_failure && <Last failure={last_failure} />}
        <p>
          {t(
            'Florin goes on trying. After seven days like this the endpoint is turned off, and those who may manage webhooks get a mail, where this gateway sends mails.',
          )}
        </p>
      </div>
    </Banner>
  );
}

function CatchingUp({ endpoint: { missed_events: missed } }: ActsProps): ReactNode {
  return (
    <Banner
      title={counted(missed, '1 event still to be queued', '{events} events still to be queued', {
        events: missedText(missed),
      })}
    >
      {t('They happened while the endpoint was off, or since. They are sent in their order.')}
    </Banner>
  );
}

/** Held before activating an endpoint sent it. */
function Missed({ endpoint, onAct }: ActsProps): ReactNode {
  const { missed_events: missed, missing_since } = endpoint;
  const may = useMay('resend webhooks');
  return (
    <Banner
      title={counted(
        missed,
        '1 event was missed while it was off',
        '{events} events were missed while it was off',
        {
          events: missedText(missed),
        },
      )}
      action={
        may && (
          <Button size="small" onClick={() => onAct('missed')}>
            {t('Send what was missed…')}
          </Button>
        )
      }
    >
      {missing_since && (
        <>
          {missed === 1
            ? rich('It was missed after {time}.', { time: <Time at={missing_since} exact /> })
            : rich('The first was missed after {time}.', { time: <Time at={missing_since} exact /> })}{' '}
          {missed === 1
            ? t('It is kept, and can be sent.')
            : t('They are kept, and can be sent in their order.')}
        </>
      )}
    </Banner>
  );
}
