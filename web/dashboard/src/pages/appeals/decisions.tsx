import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type Choice, choicesOf } from './choices.ts';
import type { Appeal } from './queries.ts';
import type { Side } from './side.ts';

/** The decisions that this person may make and their effect on the money, or who decides instead. */
export function Decisions({ side, appeal }: { side: Side; appeal: Appeal }): ReactNode {
  const [asked, setAsked] = useState<Choice>();
  const choices = choicesOf(side, appeal);
  if (!side.mayDecide) {
    return (
      <Section title={t('Decision')}>
        <p className="text-sm text-quiet">
          {side.as === 'operator'
            ? t('The business decides.')
            : t('Your role may not decide appeals: ask an owner or finance.')}
        </p>
      </Section>
    );
  }
  return (
    <Section title={t('Decision')} description={waitsFor(side, appeal)}>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Button
            key={choice.call}
            variant={choice.main ? 'primary' : 'quiet'}
            disabled={choice.refusal !== null}
            aria-describedby={choice.refusal === null ? undefined : `why-not-${choice.call}`}
            onClick={() => setAsked(choice)}
          >
            {choice.label}
          </Button>
        ))}
      </div>
      {choices.map(
        ({ call, label, refusal }) =>
          refusal !== null && (
            <p key={call} id={`why-not-${call}`} className="text-sm text-quiet">
              {label}: {refusal}.
            </p>
          ),
      )}
      {asked && (
        <DecisionDialog side={side} appeal={appeal} choice={asked} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

function waitsFor(side: Side, { reason }: Appeal): string {
  if (reason === 'reorg') {
    const who =
      side.as === 'operator' ? t('The business decides; you can refund what is left.') : t('You decide.');
    return t('{who} If the transaction is mined again, the payment is completed by itself.', { who });
  }
  if (reason !== 'disputed')
    return side.as === 'operator'
      ? t('The business decides; you can refund the customer.')
      : t('You decide.');
  return side.as === 'operator'
    ? t('You decide, unless the business refunds the customer first.')
    : t('The operator decides, unless you refund the customer first.');
}

type DecisionDialogProps = { side: Side; appeal: Appeal; choice: Choice; onClose: () => void };

function DecisionDialog({ side, appeal, choice, onClose }: DecisionDialogProps): ReactNode {
  async function decide({ reason = '' }: Record<string, string>): Promise<string> {
    await api(`${side.base}/${appeal.id}/${choice.call}`, { body: { reason } });
    return choice.done;
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`${choice.label}?`}
      onSend={decide}
      label={choice.label}
      action={choice.label}
      changes={[side.base, ...side.changes]}
    >
      <ul className="grid list-disc gap-1.5 pl-5 text-sm">
        {choice.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <p className="text-sm text-quiet">{t('This cannot be undone.')}</p>
      <Textarea
        label={t('Reason')}
        name="reason"
        required={side.as === 'operator'}
        rows={3}
        maxLength={2_000}
        help={
          side.as === 'operator' ? t('The business reads it.') : t('Kept with the appeal, for your team.')
        }
      />
    </FormDialog>
  );
}
