import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Code } from '../display/code.tsx';

export type EmptyStateProps = {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** A command to copy that creates the first row, such as a curl. */
  code?: string;
  codeLabel?: string;
};

/** Shown in place of rows: says what they are, and how to get the first one. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
  code,
  codeLabel = t('Command'),
}: EmptyStateProps): ReactNode {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-3 rounded-xl border border-line bg-surface px-4 py-12 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon size={22} aria-hidden />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      {children !== undefined && <div className="max-w-md text-sm text-pretty text-quiet">{children}</div>}
      {code !== undefined && (
        <div className="w-full max-w-xl text-left">
          <Code text={code} label={codeLabel} />
        </div>
      )}
      {action !== undefined && <div className="mt-1 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
