import type { ReactNode } from 'react';
import { ofGateway } from '../../texts/of-gateway.ts';

/** A member's role outside a sentence: `Read-only`. */
export function RoleName({ role }: { role: string }): ReactNode {
  return <span className="inline-block first-letter:uppercase">{ofGateway(role)}</span>;
}
