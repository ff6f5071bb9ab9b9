import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { SecretOnce } from '../../../ui/dialog/secret-once.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { changes, proveKey, type Setup, type Step, showKey } from './queries.ts';
import { StepActions, StepCard } from './step-card.tsx';

/** The master key, shown once, and the proof that somebody kept it. */
export function KeyStep({ step, kept }: { step: Step; kept: Setup['master_key'] }): ReactNode {
  return (
    <StepCard
      step={step}
      title={t('Master key')}
      description={t('Without it no backup can be opened. Keep a copy in another place than the backups.')}
    >
      <p className="text-sm text-quiet wrap-anywhere">{t('It comes from {place}.', { place: kept.place })}</p>
      {step.done_at === null &&
        (kept.is_file ? <OfFile shownAt={kept.shown_at} /> : <StepActions step={step} />)}
    </StepCard>
  );
}

function OfFile({ shownAt }: { shownAt: string | null }): ReactNode {
  const refresh = useRefresh();
  const [key, setKey] = useState<string | null>(null);
  const shows = useAct(async () => setKey((await showKey()).key));
  return (
    <>
      {shownAt === null ? (
        <div>
          <Button pending={shows.isPending} onClick={() => shows.mutate()}>
            {t('Show the master key')}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-quiet">{t('It was shown, once. The file on the server has it.')}</p>
      )}
      <SecretOnce
        secret={key}
        title={t('Master key')}
        onClose={() => {
          setKey(null);
          void refresh(...changes);
        }}
      />
      <Form
        label={t('Master key')}
        className="grid max-w-md gap-4"
        onSend={async ({ begins = '' }) => {
          await proveKey(begins);
          await refresh(...changes);
        }}
      >
        <Input
          name="begins"
          label={t('The first 8 characters of your copy')}
          className="font-mono"
          autoComplete="off"
          spellCheck={false}
          maxLength={8}
          required
        />
        <SubmitButton variant="quiet" className="justify-self-start">
          {t('I have a copy')}
        </SubmitButton>
      </Form>
    </>
  );
}
