import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { useScope } from '../../api/scope.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Code } from '../../ui/display/code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Section } from '../../ui/layout/card.tsx';
import type { DevelopersSearch, Language } from './search.ts';
import { languages } from './search.ts';
import { curl } from './snippets/curl.ts';
import { go } from './snippets/go.ts';
import { node } from './snippets/node.ts';
import { php } from './snippets/php.ts';
import { python } from './snippets/python.ts';
import type { SnippetSet } from './snippets/snippet.ts';
import { useSnippetContext } from './snippets/use-snippet-context.ts';

const sets: Record<Language, SnippetSet> = { curl, node, python, php, go };

/** Example code with the integration's own addresses filled in, and its test key where it may be read. */
export function Snippets({ search }: { search: DevelopersSearch }): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const navigate = useNavigate();
  const context = useSnippetContext();
  const language = search.language ?? 'curl';
  const set = sets[language];
  return (
    <>
      <Banner
        action={
          <Link
            to="/i/$integration/$mode/settings"
            params={{ integration, mode }}
            className="text-sm font-semibold text-accent-strong underline-offset-4 hover:underline"
          >
            {t('Keys')}
          </Link>
        }
      >
        {context.isWhole
          ? t(
              'The test key is filled in, so that these run as they are. On your server it belongs into the environment.',
            )
          : rich('Your key, {span}, was shown once, when it was made. If it is lost, roll it under Keys.', {
              span: <span className="font-mono">{context.key}</span>,
            })}
      </Banner>
      <div className="max-w-56">
        <Select
          label={t('Language')}
          value={language}
          onChange={({ target }) =>
            void navigate({ to: '.', search: changeSearch({ language: target.value }), resetScroll: false })
          }
          choices={languages.map((value) => ({ value, label: sets[value].label }))}
        />
      </div>
      <Section
        title={t('Create a payment')}
        description={t("Keep the reference with the order, and send the customer to the payment's URL.")}
      >
        <Code text={set.create(context)} label={t('Create a payment, {label}', { label: set.label })} />
      </Section>
      <Section
        title={t('Verify a webhook')}
        description={t('Only a webhook proves that a payment was completed. Handle each event_id once.')}
      >
        <Code text={set.verify(context)} label={t('Verify a webhook, {label}', { label: set.label })} />
      </Section>
      <Section
        title={t('Fund a user')}
        description={t(
          "Credits a user's wallet out of your balance. The same Idempotency-Key never pays twice.",
        )}
      >
        <Code text={set.fundUser(context)} label={t('Fund a user, {label}', { label: set.label })} />
      </Section>
    </>
  );
}
