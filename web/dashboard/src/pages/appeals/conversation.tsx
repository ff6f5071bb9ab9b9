import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Time } from '../../ui/display/time.tsx';
import { Form } from '../../ui/form/form.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { Section } from '../../ui/layout/card.tsx';
import type { Appeal } from './queries.ts';
import type { Side } from './side.ts';
import { authorName } from './words.ts';

const maxLength = 2_000;

/** The messages of the business, the customer and the operator, and a form to answer. */
export function Conversation({ side, appeal }: { side: Side; appeal: Appeal }): ReactNode {
  const refresh = useRefresh();
  async function send({ text }: Record<string, string>, form: HTMLFormElement): Promise<void> {
    await api(`${side.base}/${appeal.id}/messages`, { body: { text } });
    form.reset();
    await refresh(side.base);
  }
  return (
    <Section
      title={t('Conversation')}
      description={t('The customer reads and answers on the page of the payment.')}
    >
      {appeal.messages.length === 0 ? (
        <p className="text-sm text-quiet">{t('Nobody has written yet.')}</p>
      ) : (
        <ol className="grid gap-3">
          {appeal.messages.map((message) => (
            <li
              key={message.id}
              className={clsx(
                'rounded-lg border border-line px-3 py-2 text-sm',
                message.author === side.as ? 'bg-accent-soft' : 'bg-surface',
              )}
            >
              <p className="flex flex-wrap justify-between gap-x-3">
                <span className="font-semibold">{authorName(message)}</span>
                <Time at={message.at} />
              </p>
              <p className="whitespace-pre-line wrap-anywhere" dir="auto">
                {message.text}
              </p>
            </li>
          ))}
        </ol>
      )}
      {appeal.status === 'open' && side.mayAnswer && (
        <Form onSend={send} className="grid gap-3" label={t('Answer')}>
          <Textarea label={t('Your message')} name="text" required rows={3} maxLength={maxLength} />
          <div>
            <SubmitButton variant="quiet">{t('Send')}</SubmitButton>
          </div>
        </Form>
      )}
      {appeal.status === 'open' && !side.mayAnswer && (
        <p className="text-sm text-quiet">{t('Your role may read this conversation but not answer.')}</p>
      )}
    </Section>
  );
}
