import { type ReactNode, useState } from 'react';
import { useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Code } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import { type Language, languageChoices, languageNames, receiverIn } from './receiver.ts';

/** What is signed and how, and a receiver to copy that checks it, at the endpoint's path. */
export function VerifyTab({ endpoints }: { endpoints: readonly Endpoint[] }): ReactNode {
  const { mode } = useScope();
  const [language, setLanguage] = useState<Language>('js');
  const [chosen, setChosen] = useState(endpoints[0]?.id ?? '');
  const endpoint = endpoints.find(({ id }) => id === chosen) ?? endpoints[0];
  const url = endpoint?.url ?? 'https://shop.example.com/webhooks/florin';
  return (
    <>
      <Card
        title={t('How to verify that Florin sent it')}
        description={t('Check both signatures over the raw bytes of the body, before anything parses them.')}
      >
        <DefinitionList
          facts={[
            [
              'X-Signature',
              rich(
                'base64 of HMAC-SHA256 over the body, keyed with your secret key of this mode, the whole {code}. It proves who wrote the body.',
                { code: <code className="font-mono">sk_{mode}_…</code> },
              ),
            ],
            [
              'webhook-signature',
              rich(
                '{code} and base64 of HMAC-SHA256 over {code2}, keyed with the endpoint’s {code3}, base64 after the prefix. It proves that it was sent just now. It has two while a secret is being rolled; one that fits is enough.',
                {
                  code: <code className="font-mono">v1,</code>,
                  code2: <code className="font-mono">id.timestamp.body</code>,
                  code3: <code className="font-mono">whsec_…</code>,
                },
              ),
            ],
            ['X-Event-Id', t('The event. Handle each once: a delivery can repeat.')],
            ['X-Sequence', t('The number of the event within its payment. A higher one is newer.')],
          ]}
        />
      </Card>
      <Card
        title={t('An example receiver')}
        actions={
          <div className="flex flex-wrap gap-2">
            <Select
              label={t('Language')}
              labelHidden
              choices={languageChoices}
              value={language}
              onChange={(event) => setLanguage(event.target.value as Language)}
            />
            {endpoints.length > 1 && (
              <Select
                label={t('Endpoint')}
                labelHidden
                choices={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
                value={chosen}
                onChange={(event) => setChosen(event.target.value)}
                className="sm:max-w-64"
              />
            )}
          </div>
        }
      >
        <p className="text-sm text-quiet">
          {rich(
            'Put the two secrets into its environment: {code} is the key from Settings, {code2} stands in the endpoint’s menu under “Show the secret”.',
            {
              code: <code className="font-mono">FLORIN_SECRET_KEY</code>,
              code2: <code className="font-mono">FLORIN_ENDPOINT_SECRET</code>,
            },
          )}
        </p>
        <Code text={receiverIn(language, url)} label={languageNames[language]} />
      </Card>
    </>
  );
}
