import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { isOnOwnMachine } from '../../../api/own-machine.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { Code } from '../../../ui/display/code.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import type { EndpointInput, EndpointWithSecret } from '../../webhooks/types/endpoint.ts';
import { defaultEventTypes } from '../../webhooks/types/event-types.ts';
import { serverFile } from './server-file.ts';
import { StepLink } from './step-link.tsx';

export type EndpointStepProps = {
  /** The endpoint that was created here. */
  made: EndpointWithSecret | undefined;
  isNext: boolean;
  onMade: (made: EndpointWithSecret) => void;
};

/** Creates an endpoint from its address alone, then shows its secret and a server of one file that checks it. */
export function EndpointStep({ made, isNext, onMade }: EndpointStepProps): ReactNode {
  const { path } = useScope();
  const may = useMay('manage webhooks');
  const refresh = useRefresh();
  if (made) return <EndpointMade endpoint={made} />;
  if (!may) return <StepLink step="endpoint" variant="quiet" />;

  async function send({ url = '' }: FormValues): Promise<void> {
    const body: EndpointInput = { url, description: '', events: [...defaultEventTypes], headers: [] };
    onMade(await api<EndpointWithSecret>(path('/webhooks'), { body }));
    await refresh(path('/webhooks'), path('/onboarding'));
  }

  return (
    <Form onSend={send} label={t('Create a webhook endpoint')} className="grid max-w-xl gap-3">
      <Input
        label={t('Address of your server')}
        name="url"
        type="url"
        code
        required
        maxLength={2048}
        placeholder="https://shop.example.com/webhooks/florin"
        defaultValue={isOnOwnMachine() ? 'http://localhost:3000/webhook' : undefined}
      />
      <div>
        <SubmitButton variant={isNext ? 'primary' : 'quiet'}>{t('Create the endpoint')}</SubmitButton>
      </div>
    </Form>
  );
}

function EndpointMade({ endpoint: { url, secret } }: { endpoint: EndpointWithSecret }): ReactNode {
  return (
    <>
      <p className="font-mono wrap-anywhere">{url}</p>
      <Code text={`export FLORIN_WEBHOOK_SECRET='${secret}'`} label={t('Its secret')} />
      <details className="group min-w-0">
        <summary className="flex items-center gap-2 py-1 font-semibold">
          <ChevronRight
            size={16}
            aria-hidden
            className="shrink-0 text-quiet transition-transform group-open:rotate-90"
          />
          {t('No server yet? One in a single file')}
        </summary>
        <div className="grid min-w-0 gap-3 pt-2">
          <p className="text-quiet">
            {t('Save it as server.mjs in an empty folder, and start it there with Node 20 or later.')}
          </p>
          <Code text={serverFile(url, secret)} label={t('File server.mjs')} />
          <Code text="node server.mjs" label={t('In a terminal')} />
        </div>
      </details>
    </>
  );
}
