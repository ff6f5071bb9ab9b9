import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';

export type RowLinkProps = {
  /** The key of its row, which is then `open` in the address. */
  open: string;
  /** Whether going back leaves the list rather than closing the detail. */
  replace?: boolean;
  className?: string;
  children: ReactNode;
};

/** Opens the detail of its row, and is pressed wherever the row is. */
export function RowLink({ open, replace = true, className, children }: RowLinkProps): ReactNode {
  return (
    <Link to="." search={changeSearch({ open })} className={clsx('row-link', className)} replace={replace}>
      {children}
    </Link>
  );
}
