import type { ReactNode } from 'react';
import { reportKeyCopied } from '../../../api/key-copied.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useScope } from '../../../api/scope.ts';
import { useOwnKey, useTestSecrets } from '../../../api/test-key.ts';
import { t } from '../../../texts/t.ts';
import { Code } from '../../../ui/display/code.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { StepLink } from './step-link.tsx';

/** The test key, as the line that sets it for a server; the way to the keys for who may not read it. */
export function KeyStep({ onCopied }: { onCopied: () => void }): ReactNode {
  const { integrationId, mode, path } = useScope();
  const { shown, isWhole } = useOwnKey();
  const refresh = useRefresh();
  const { isLoading } = useTestSecrets();
  if (isLoading) return <Skeleton className="h-20 rounded-lg" />;
  if (!isWhole) return <StepLink step="key" variant="quiet" />;

  async function report(): Promise<void> {
    onCopied();
    await reportKeyCopied(integrationId, mode);
    await refresh(path('/onboarding'));
  }

  return (
    <Code
      text={`export FLORIN_SECRET_KEY='${shown}'`}
      label={t('Your test key')}
      onCopied={() => void report()}
    />
  );
}
