import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../button/button.tsx';

/** Shown in place of what could not be loaded: the error, and a button to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-3 rounded-xl border border-line bg-surface px-4 py-12 text-center"
    >
      <span className="grid size-12 place-items-center rounded-full bg-lost-soft text-lost">
        <CloudOff size={22} aria-hidden />
      </span>
      <p className="max-w-md text-base font-semibold text-balance">{messageOf(error)}</p>
      {requestId !== undefined && (
        <p className="text-sm text-quiet">
          {rich('Request {span}', { span: <span className="font-mono break-all">{requestId}</span> })}
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>{t('Try again')}</Button>}
    </div>
  );
}
