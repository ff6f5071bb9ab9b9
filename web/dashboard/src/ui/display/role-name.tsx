import type { ReactNode } from 'react';

/** A member's role outside a sentence: `Read-only`. */
export function RoleName({ role }: { role: string }): ReactNode {
  return <span className="inline-block first-letter:uppercase">{role}</span>;
}
