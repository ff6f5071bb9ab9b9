import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Mode, useScope } from '../../api/scope.ts';

export type PaymentLinkProps = {
  reference: string;
  /** The id of its integration, where that is not the open one; it is live where no mode is given beside it. */
  integration?: string;
  mode?: Mode;
  className?: string;
  /** In place of the reference. */
  children?: ReactNode;
};

const plain = 'font-mono text-accent-strong underline-offset-4 wrap-anywhere hover:underline';

/** A payment's reference, which leads to it. */
export function PaymentLink(props: PaymentLinkProps): ReactNode {
  const open = useScope();
  const { reference, integration = open.integrationId, className = plain, children = reference } = props;
  const { mode = props.integration === undefined ? open.mode : 'live' } = props;
  return (
    <Link
      to="/i/$integration/$mode/payments/$reference"
      params={{ integration, mode, reference }}
      className={className}
    >
      {children}
    </Link>
  );
}
