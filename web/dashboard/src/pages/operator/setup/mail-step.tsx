import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { changes, proveMail, type Step, sendCode } from './queries.ts';
import { StepCard } from './step-card.tsx';

/** A mail with a code, which shows that mails arrive. */
export function MailStep({ step, to }: { step: Step; to: string | null }): ReactNode {
  const refresh = useRefresh();
  const [isSent, setSent] = useState(false);
  const { mutate, isPending } = useAct(async () => {
    await sendCode();
    setSent(true);
  });
  return (
    <StepCard
      step={step}
      title={t('Mail')}
      description={t('A code is mailed to you: type it here, and it is certain that mails arrive.')}
    >
      {to === null ? (
        <p className="text-sm text-quiet">{t('Set SMTP_URL and MAIL_FROM, and start the gateway again.')}</p>
      ) : (
        <div>
          <Button pending={isPending} onClick={() => mutate()}>
            {t('Send a code to {to}', { to })}
          </Button>
        </div>
      )}
      {isSent && step.done_at === null && (
        <Form
          label={t('Mail')}
          className="grid max-w-md gap-4"
          onSend={async ({ code = '' }) => {
            await proveMail(code);
            await refresh(...changes);
          }}
        >
          <Input
            name="code"
            label={t('Code of the mail')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            required
          />
          <SubmitButton variant="quiet" className="justify-self-start">
            {t('Check the code')}
          </SubmitButton>
        </Form>
      )}
    </StepCard>
  );
}
