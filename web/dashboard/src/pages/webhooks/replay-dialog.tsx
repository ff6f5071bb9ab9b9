import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../api/act.ts';
import { messageOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.ts';
import type { Endpoint } from './types.ts';

const hourMs = 3600 * 1000;
const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

type Counted = { since: string; count: number };

/** Sends an endpoint's failures once more; the button says how many, and no other number is sent. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();
  const refresh = useRefresh();
  const address = path(`/webhooks/${endpoint.id}/replay`);
  const [hours, setHours] = useState('24');
  const [fault, setFault] = useState<string>();
  const [pending, setPending] = useState(false);
  const counted = useQuery({
    queryKey: [`${address}/preview`, { hours }],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - Number.parseInt(hours, 10) * hourMs).toISOString();
      return api<Counted>(withQuery(`${address}/preview`, { since }), { signal });
    },
    staleTime: 0,
    gcTime: 0,
  });

  async function replay({ since, count }: Counted): Promise<void> {
    setPending(true);
    setFault(undefined);
    try {
      await api(address, { body: { since, expected: count } });
      toast(`${wordsOf(count)} on the way`);
      void refresh(path('/webhooks'), path('/deliveries'));
      onClose();
    } catch (error) {
      setFault(messageOf(error));
      await counted.refetch();
    } finally {
      setPending(false);
    }
  }

  const { data } = counted;
  const isOff = endpoint.status === 'disabled';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Re-send failures"
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant="primary"
            pending={pending}
            disabled={isOff || !data || data.count === 0 || counted.isFetching}
            onClick={() => data && replay(data)}
          >
            {data && data.count > 0 ? `Re-send ${wordsOf(data.count)}` : 'Re-send'}
          </Button>
        </>
      }
    >
      <p className="font-mono text-sm wrap-anywhere">{endpoint.url}</p>
      <Select
        label="Failed in"
        choices={spans}
        value={hours}
        onChange={(event) => setHours(event.target.value)}
      />
      <div aria-live="polite" className="text-sm">
        {data && !counted.isFetching ? (
          <p>
            <strong className="tabular-nums">{wordsOf(data.count)}</strong> failed for good since{' '}
            <Time at={data.since} exact />. Each is sent once more with the same id and bytes; a receiver that
            handled it already ignores it.
          </p>
        ) : (
          counted.isFetching && <Skeleton className="h-10 w-full" />
        )}
      </div>
      {isOff && <Banner tone="waiting">The endpoint is turned off. Activate it first.</Banner>}
      {counted.isError && <Banner tone="lost">{messageOf(counted.error)}</Banner>}
      {fault !== undefined && (
        <Banner tone="lost" role="alert">
          {fault}
        </Banner>
      )}
    </Dialog>
  );
}

function wordsOf(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString('en')} deliveries`;
}
