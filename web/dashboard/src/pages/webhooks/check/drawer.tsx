import { Link } from '@tanstack/react-router';
import { ClipboardCheck, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import { type Check, useLastCheck, useStartCheck } from './check.ts';
import { CheckExchanges } from './exchanges.tsx';
import { type Language, languageChoices, languageNames } from './receiver.ts';
import { CheckRules, Diagnosis } from './rules.tsx';
import { CheckScore } from './score.tsx';

/** Tests a receiver with right and wrong deliveries, and shows which rules it keeps. */
export function CheckDrawer({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const last = useLastCheck(endpoint.id);
  const start = useStartCheck(endpoint.id);
  const may = useMay('manage webhooks');
  const isRunning = last.data?.status === 'running';
  const begin = may && (
    <Button variant="primary" pending={start.isPending} disabled={isRunning} onClick={() => start.mutate()}>
      {last.data ? <RefreshCw size={16} aria-hidden /> : <ClipboardCheck size={16} aria-hidden />}
      {last.data ? t('Run it again') : t('Run the check')}
    </Button>
  );
  return (
    <Drawer
      open
      onClose={onClose}
      title={t('Receiver check')}
      footer={
        <>
          <Button onClick={onClose}>{t('Close')}</Button>
          {begin}
        </>
      }
    >
      <p className="font-mono text-sm wrap-anywhere">{endpoint.url}</p>
      <Loaded query={last} rows={6}>
        {(check) => (check === null ? <Untried /> : <Result check={check} />)}
      </Loaded>
    </Drawer>
  );
}

function Untried(): ReactNode {
  return (
    <EmptyState
      icon={ClipboardCheck}
      title={t('Does your receiver keep the rules?')}
      code="florin check-webhook http://localhost:3000/webhook --secret whsec_…"
      codeLabel={t('The same against your own machine')}
    >
      <div className="grid gap-3 text-left">
        <p>
          {t(
            'In less than a minute it gets about fifty deliveries: a genuine event, the same one again and twice at once, wrong and old signatures, unusual amounts and texts, events out of order and of types that it does not know.',
          )}
        </p>
        <p>
          {rich(
            'You see each answer, which rules are kept and which are broken, and for each broken one what to change. The payments do not exist: their references begin with {code}.',
            { code: <code className="font-mono text-ink">TEST_CHECK_</code> },
          )}
        </p>
      </div>
    </EmptyState>
  );
}

function Result({ check }: { check: Check }): ReactNode {
  const { integrationId: integration } = useScope();
  const [language, setLanguage] = useState<Language>('js');
  const code = { language, languageName: languageNames[language] };
  const { status, rules, diagnosis } = check;
  return (
    <>
      <div role="status" className="sr-only">
        {status === 'running' ? t('The check is running') : t('The check is done')}
      </div>
      {status === 'stopped' && (
        <Banner tone="waiting" title={t('This check was stopped')}>
          {t('The gateway was restarted. Run the check again.')}
        </Banner>
      )}
      {status === 'done' && <CheckScore score={check.score} />}
      {diagnosis && <Diagnosis diagnosis={diagnosis} rules={rules} {...code} />}
      {rules.length > 0 && (
        <Section
          title={t('Rules')}
          actions={
            <Select
              label={t('Language of the examples')}
              labelHidden
              choices={languageChoices}
              value={language}
              onChange={({ target }) => setLanguage(target.value as Language)}
            />
          }
        >
          <CheckRules rules={rules} {...code} />
          <p className="text-sm text-quiet">
            {rich('Receivers that keep them all, to start from: {link}', {
              link: (
                <Link
                  to="/i/$integration/$mode/developers"
                  params={{ integration, mode: 'test' }}
                  search={{ tab: 'listen' }}
                  className="text-accent-strong underline underline-offset-4"
                >
                  {t('Express, Fastify, Hono and Next.js')}
                </Link>
              ),
            })}
          </p>
        </Section>
      )}
      <Section
        title={status === 'running' ? t('Deliveries, as they come back') : t('What was sent')}
        description={
          <>
            {rich('Begun {time}', { time: <Time at={check.started_at} /> })}
            {check.url !== '' && t(', to the address that the endpoint had then')}
            {t('. Open a delivery to see its right answer.')}
          </>
        }
      >
        <CheckExchanges check={check} />
      </Section>
    </>
  );
}
