import { type ReactNode, useState } from 'react';
import { type EndpointAct, EndpointCard } from './endpoint-card.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RevealDialog } from './reveal-dialog.tsx';
import { RollDialog } from './roll-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import type { Endpoint } from './types.ts';

const dialogs = {
  test: TestDialog,
  replay: ReplayDialog,
  reveal: RevealDialog,
  roll: RollDialog,
  remove: RemoveDialog,
};

/** The endpoints with their health, and the dialogs of what is done to one. */
export function EndpointsTab({ endpoints }: { endpoints: readonly Endpoint[] }): ReactNode {
  const [open, setOpen] = useState<{ act: EndpointAct; endpoint: Endpoint }>();
  const Dialog = open && dialogs[open.act];
  return (
    <>
      <ul className="grid gap-4">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className="min-w-0">
            <EndpointCard endpoint={endpoint} onAct={(act) => setOpen({ act, endpoint })} />
          </li>
        ))}
      </ul>
      {Dialog && <Dialog endpoint={open.endpoint} onClose={() => setOpen(undefined)} />}
    </>
  );
}
