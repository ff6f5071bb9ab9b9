import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import {
  CircleCheck,
  CirclePause,
  CircleX,
  EllipsisVertical,
  Eye,
  Play,
  RefreshCw,
  Send,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay, useScope } from '../../api/scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { EndpointHealth } from './endpoint-health.tsx';
import type { Endpoint } from './types.ts';
import { useSetStatus } from './use-set-status.ts';

export type EndpointAct = 'test' | 'replay' | 'reveal' | 'roll' | 'remove';

/** One endpoint: where it leads, what it hears of, and how it has been. */
export function EndpointCard({
  endpoint,
  onAct,
}: {
  endpoint: Endpoint;
  onAct: (act: EndpointAct) => void;
}): ReactNode {
  const { url, description, events } = endpoint;
  return (
    <article
      aria-label={url}
      className="grid min-w-0 gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5"
    >
      <header className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1.5">
          <h2 className="font-mono text-sm font-semibold wrap-anywhere">{url}</h2>
          {description !== '' && <p className="text-quiet wrap-anywhere">{description}</p>}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusOf endpoint={endpoint} />
            <span className="text-quiet">{eventsText(events)}</span>
          </div>
        </div>
        <Acts endpoint={endpoint} onAct={onAct} />
      </header>
      <Trouble endpoint={endpoint} onAct={onAct} />
      <EndpointHealth endpoint={endpoint} />
    </article>
  );
}

function StatusOf({ endpoint: { status, failing_since } }: { endpoint: Endpoint }): ReactNode {
  if (status === 'disabled') {
    return (
      <Badge tone="lost" icon={CircleX}>
        Turned off
      </Badge>
    );
  }
  if (status === 'paused') {
    return (
      <Badge tone="quiet" icon={CirclePause}>
        Paused
      </Badge>
    );
  }
  return failing_since === null ? (
    <Badge tone="paid" icon={CircleCheck}>
      Active
    </Badge>
  ) : (
    <Badge tone="waiting" icon={CircleX}>
      Failing
    </Badge>
  );
}

/** `3 events: payment_completed, …` in the words of the contract. */
function eventsText(events: readonly string[]): string {
  return events.length > 3 ? `${events.length} event types` : events.join(', ');
}

function Trouble({ endpoint, onAct }: { endpoint: Endpoint; onAct: (act: EndpointAct) => void }): ReactNode {
  const { id, status, disabled_reason, failing_since } = endpoint;
  const activate = useSetStatus(endpoint);
  const may = useMay('manage webhooks');
  if (status === 'disabled') {
    return (
      <Banner
        tone="lost"
        title="Nothing is sent here any more"
        action={
          may && (
            <Button size="small" pending={activate.isPending} onClick={() => activate.mutate('active')}>
              Activate again
            </Button>
          )
        }
      >
        {disabled_reason}. Mend the receiver, activate the endpoint, and{' '}
        <button type="button" className="underline underline-offset-4" onClick={() => onAct('replay')}>
          re-send what failed
        </button>
        .
      </Banner>
    );
  }
  if (failing_since === null || status !== 'active') return null;
  return (
    <Banner
      tone="waiting"
      title={
        <>
          Every attempt fails; the first one did <Time at={failing_since} />
        </>
      }
      action={
        <Link
          to="."
          search={{ tab: 'deliveries', endpoint: id }}
          className={clsx(buttonClass('quiet', 'small'))}
        >
          See why
        </Link>
      }
    >
      Florin goes on trying. After seven days like this the endpoint is turned off, and you get a mail.
    </Banner>
  );
}

function Acts({ endpoint, onAct }: { endpoint: Endpoint; onAct: (act: EndpointAct) => void }): ReactNode {
  const { mode } = useScope();
  const may = useMay('manage webhooks');
  const mayResend = useMay('resend webhooks');
  const setStatus = useSetStatus(endpoint);
  const isActive = endpoint.status === 'active';
  const replay: MenuItem = { label: 'Re-send failures…', icon: RefreshCw, onSelect: () => onAct('replay') };
  const manage: MenuItem[] = [
    {
      label: isActive ? 'Pause' : 'Activate',
      icon: isActive ? CirclePause : Play,
      onSelect: () => setStatus.mutate(isActive ? 'paused' : 'active'),
    },
    'line',
    { label: 'Show the secret…', icon: Eye, onSelect: () => onAct('reveal') },
    { label: 'Roll the secret…', icon: RefreshCw, onSelect: () => onAct('roll') },
    'line',
    { label: 'Remove…', icon: Trash2, danger: true, onSelect: () => onAct('remove') },
  ];
  const test: MenuItem = { label: 'Send a test event…', icon: Send, onSelect: () => onAct('test') };
  const items = [
    ...(may && mode === 'test' ? [test] : []),
    ...(mayResend ? [replay] : []),
    ...(may ? manage : []),
  ];
  if (items.length === 0) return null;
  return (
    <div className="flex shrink-0 items-center gap-1">
      {may && (
        <Link
          to="."
          search={(now: object) => ({ ...now, edit: endpoint.id })}
          className={buttonClass('quiet', 'small')}
          aria-label={`Edit ${endpoint.url}`}
        >
          Edit
        </Link>
      )}
      <Menu
        trigger={<IconButton icon={EllipsisVertical} label={`More about ${endpoint.url}`} />}
        items={items}
      />
    </div>
  );
}
