import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { api } from '../../../api/client.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { counted, t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { RadioGroup } from '../../../ui/form/radio-group.tsx';
import { Select } from '../../../ui/form/select.tsx';
import type { Endpoint, Replay } from '../types/endpoint.ts';
import { ReplayProgress } from './progress.tsx';
import { type Counted, countText, type ReplayWish, useReplayCount } from './replay.ts';

const what = [
  { value: 'both', label: t('Both'), help: t('Everything that it should have and has not.') },
  { value: 'failed', label: t('What failed'), help: t('Deliveries that are not tried again by themselves.') },
  { value: 'missed', label: t('What was missed'), help: t('Events while it was paused or turned off.') },
] as const;

const spans = [
  { value: '', label: t('Any time') },
  { value: '1', label: t('The last hour') },
  { value: '24', label: t('The last 24 hours') },
  { value: '168', label: t('The last 7 days') },
  { value: '720', label: t('The last 30 days') },
];

type What = (typeof what)[number]['value'];

export type ReplayDialogProps = {
  endpoint: Endpoint;
  onClose: () => void;
  /** What is chosen at first. */
  only?: ReplayWish['only'];
};

/** Sends an endpoint what it has not got; the button says how much, and no other number is sent. */
export function ReplayDialog({ endpoint, onClose, only }: ReplayDialogProps): ReactNode {
  const { path } = useScope();
  const refresh = useRefresh();
  const [chosen, setChosen] = useState<What>(only ?? 'both');
  const [hours, setHours] = useState('');
  const [fault, setFault] = useState<string>();
  const [pending, setPending] = useState(false);
  const [begun, setBegun] = useState<Replay>();
  const wish = chosen === 'both' ? undefined : chosen;
  const counted = useReplayCount(endpoint.id, wish, hours === '' ? undefined : Number.parseInt(hours, 10));
  const { data } = counted;

  async function replay({ since, count }: Counted): Promise<void> {
    setPending(true);
    setFault(undefined);
    try {
      const body = {
        expected: count,
        ...(since === null ? {} : { since }),
        ...(wish === undefined ? {} : { only: wish }),
      };
      setBegun(await api<Replay>(path(`/webhooks/${endpoint.id}/replay`), { body }));
    } catch (error) {
      setFault(messageOf(error));
      await counted.refetch();
    } finally {
      setPending(false);
      void refresh(path('/webhooks'), path('/deliveries'));
    }
  }

  if (begun) return <ReplayProgress endpoint={endpoint} begun={begun} onClose={onClose} />;
  const isOff = endpoint.status === 'disabled';
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Send again')}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button
            variant="primary"
            pending={pending}
            disabled={isOff || !data || data.count === 0 || counted.isFetching}
            onClick={() => data && replay(data)}
          >
            {t('Send')} {data && data.count > 0 && deliveriesText(data)}
          </Button>
        </>
      }
    >
      <p className="font-mono text-sm wrap-anywhere">{endpoint.url}</p>
      <RadioGroup label={t('What')} name="only" choices={what} value={chosen} onChange={setChosen} />
      <Select
        label={t('From')}
        choices={spans}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
      <div aria-live="polite" className="min-h-10 text-sm">
        {data && !counted.isFetching ? (
          <Found counted={data} />
        ) : (
          counted.isFetching && <Skeleton className="h-10 w-full" />
        )}
      </div>
      {isOff && <Banner tone="waiting">{t('The endpoint is turned off. Activate it first.')}</Banner>}
      {counted.isError && <Banner tone="lost">{messageOf(counted.error)}</Banner>}
      {fault !== undefined && (
        <Banner tone="lost" role="alert">
          {fault}
        </Banner>
      )}
    </Dialog>
  );
}

function Found({ counted: { since, failed, missed, counted_up_to } }: { counted: Counted }): ReactNode {
  return (
    <p>
      {rich('{failed} failed for good and {missed} missed', {
        failed: <strong className="tabular-nums">{countText(failed, counted_up_to)}</strong>,
        missed: <strong className="tabular-nums">{countText(missed, counted_up_to)}</strong>,
      })}
      {since !== null && <> {rich('since {time}', { time: <Time at={since} exact /> })}</>}
      {t('. Each goes with the id and bytes of its event; a receiver that handled it already ignores it.')}
    </p>
  );
}

function deliveriesText({ count, counted_up_to }: Counted): string {
  return counted(count, '1 delivery', '{deliveries} deliveries', {
    deliveries: countText(count, counted_up_to),
  });
}
