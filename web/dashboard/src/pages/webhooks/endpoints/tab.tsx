import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ReplayDialog } from '../replay/dialog.tsx';
import { RevealDialog } from '../secrets/reveal-dialog.tsx';
import { RollDialog } from '../secrets/roll-dialog.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import type { EndpointAct } from './acts.tsx';
import { EndpointCard } from './card.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

type DialogProps = { endpoint: Endpoint; onClose: () => void };

const dialogs: Record<Exclude<EndpointAct, 'check' | 'chaos'>, (props: DialogProps) => ReactNode> = {
  test: TestDialog,
  replay: ReplayDialog,
  missed: (props) => <ReplayDialog {...props} only="missed" />,
  reveal: RevealDialog,
  roll: RollDialog,
  remove: RemoveDialog,
};

/** The endpoints with their health, and the dialogs of what is done to one. */
export function EndpointsTab({ endpoints }: { endpoints: readonly Endpoint[] }): ReactNode {
  const [open, setOpen] = useState<{ act: keyof typeof dialogs; endpoint: Endpoint }>();
  const navigate = useNavigate();
  const Dialog = open && dialogs[open.act];
  function act(endpoint: Endpoint, what: EndpointAct): void {
    if (what === 'check' || what === 'chaos') void navigate({ to: '.', search: { [what]: endpoint.id } });
    else setOpen({ act: what, endpoint });
  }
  return (
    <>
      <ul className="grid gap-4">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className="min-w-0">
            <EndpointCard endpoint={endpoint} onAct={(what) => act(endpoint, what)} />
          </li>
        ))}
      </ul>
      {Dialog && <Dialog endpoint={open.endpoint} onClose={() => setOpen(undefined)} />}
    </>
  );
}
