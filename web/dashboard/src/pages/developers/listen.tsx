import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { useScope } from '../../api/scope.ts';
import { useOwnKey } from '../../api/test-key.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Code } from '../../ui/display/code.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Card, Section } from '../../ui/layout/card.tsx';
import { receivers, sharedFiles } from './receivers.ts';
import { type DevelopersSearch, frameworks } from './search.ts';

/** Webhooks on the developer's own machine, and example receivers. */
export function Listen({ search }: { search: DevelopersSearch }): ReactNode {
  return (
    <>
      <OwnMachine />
      <Receivers search={search} />
    </>
  );
}

function OwnMachine(): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const { shown: key, isWhole } = useOwnKey();
  return (
    <Card
      title={t('Webhooks on your own machine')}
      description={t(
        'Your machine does not have to be reachable from the internet: the command asks for new events and forwards each one, signed and byte for byte. After a restart it continues where it stopped.',
      )}
    >
      <ol className="grid min-w-0 gap-4">
        <Step number={1} title={t('Set the address and the key')}>
          {!isWhole && (
            <p className="text-sm text-quiet">
              {rich(
                'Put your own {mode} key in place of {code}, which was shown once when it was made. If it is lost, roll it in {link}',
                {
                  mode: ofGateway(mode),
                  code: <code className="font-mono text-ink">{key}</code>,
                  link: (
                    <Link
                      to="/i/$integration/$mode/settings"
                      params={{ integration, mode }}
                      search={{ tab: 'keys' }}
                      className="text-accent-strong underline underline-offset-4"
                    >
                      {t('Settings')}
                    </Link>
                  ),
                },
              )}
              .
            </p>
          )}
          <Code
            text={`export FLORIN_URL=${location.origin}\nexport FLORIN_SECRET_KEY='${key}'`}
            label={t('Environment')}
          />
        </Step>
        <Step number={2} title={t('Forward to your server')}>
          <Code text="florin listen --forward-to localhost:3000/webhook" label={t('Terminal')} />
          <p className="text-sm text-quiet">
            {rich(
              'In the gateway’s own directory it is {code}. It prints a {code2} that stays the same. It is your server’s endpoint secret, {code3} in the examples below.',
              {
                code: <code className="font-mono text-ink">npm run florin -- listen</code>,
                code2: <code className="font-mono text-ink">whsec_…</code>,
                code3: <code className="font-mono text-ink">FLORIN_WEBHOOK_SECRET</code>,
              },
            )}
          </p>
        </Step>
        {mode === 'test' && (
          <Step number={3} title={t('Make something happen')}>
            <Code text="florin trigger payment_completed" label={t('Another terminal')} />
            <p className="text-sm text-quiet">
              {t(
                'This creates a test payment and completes it. You can also open any test payment here and simulate it.',
              )}
            </p>
          </Step>
        )}
      </ol>
    </Card>
  );
}

function Step({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: ReactNode;
}): ReactNode {
  return (
    <li className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-strong tabular-nums"
      >
        {number}
      </span>
      <div className="grid min-w-0 gap-2">
        <h3 className="pt-1 text-sm font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  );
}

function Receivers({ search }: { search: DevelopersSearch }): ReactNode {
  const navigate = useNavigate();
  const framework = search.framework ?? 'express';
  const { label, file, text } = receivers[framework];
  return (
    <Section
      title={t('An example receiver')}
      description={t(
        'It reads the raw bytes, checks both signatures, and applies each event to its order once. Florin’s own tests run these files.',
      )}
      actions={
        <Select
          label={t('Framework')}
          labelHidden
          value={framework}
          onChange={({ target }) =>
            void navigate({ to: '.', search: changeSearch({ framework: target.value }), resetScroll: false })
          }
          choices={frameworks.map((value) => ({ value, label: receivers[value].label }))}
        />
      }
    >
      <Code text={text.trimEnd()} label={`${label}: ${file}`} />
      {sharedFiles.map((shared) => (
        <details key={shared.file} className="group min-w-0">
          <summary className="flex items-center gap-2 py-1.5 text-sm font-semibold">
            <ChevronRight
              size={16}
              aria-hidden
              className="shrink-0 text-quiet transition-transform group-open:rotate-90"
            />
            <span>
              {shared.file === 'orders.ts' ? t('What an event does to an order') : t('The secrets')}:{' '}
              <span className="font-mono font-normal">{shared.file}</span>
            </span>
          </summary>
          <Code text={shared.text.trimEnd()} label={shared.file} />
        </details>
      ))}
    </Section>
  );
}
