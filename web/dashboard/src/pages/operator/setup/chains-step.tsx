import { CircleCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { type EndpointTried, type SetupChain, type Step, tryEndpoint } from './queries.ts';
import { StepActions, StepCard } from './step-card.tsx';

const figures = new Intl.NumberFormat('en');

/** The endpoints of chains, tried one by one, and others that the operator thinks of. */
export function ChainsStep({ step, chains }: { step: Step; chains: readonly SetupChain[] }): ReactNode {
  return (
    <StepCard
      step={step}
      title={t('Endpoints of chains')}
      description={t('Each chain has two endpoints or three, of different providers. Try each.')}
    >
      {chains.length === 0 && (
        <p className="text-sm text-quiet">
          {t('No chain is configured. Name them in the file of CONFIG_FILE.')}
        </p>
      )}
      {chains.map(({ id, name, endpoints }) =>
        endpoints.map((host, at) => <Configured key={`${id} ${host}`} {...{ chain: id, name, host, at }} />),
      )}
      <Other />
      <StepActions step={step} />
    </StepCard>
  );
}

function Configured({
  chain,
  name,
  host,
  at,
}: {
  chain: number;
  name: string;
  host: string;
  at: number;
}): ReactNode {
  const { data, mutate, isPending } = useAct(() => tryEndpoint({ chain, at }));
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="min-w-0 wrap-anywhere">
          {name} · <span className="font-mono">{host}</span>
        </span>
        <Button size="small" pending={isPending} onClick={() => mutate()}>
          {t('Try')}
        </Button>
      </div>
      {data && <Tried tried={data} />}
    </div>
  );
}

function Other(): ReactNode {
  const [tried, setTried] = useState<EndpointTried | null>(null);
  return (
    <Form
      label={t('Another endpoint')}
      className="grid max-w-md gap-4"
      onSend={async ({ url = '' }) => {
        setTried(null);
        setTried(await tryEndpoint({ url }));
      }}
    >
      <Input
        name="url"
        type="url"
        label={t('Another endpoint')}
        maxLength={1000}
        autoComplete="off"
        required
      />
      {tried && <Tried tried={tried} />}
      <SubmitButton variant="quiet" className="justify-self-start">
        {t('Try')}
      </SubmitButton>
    </Form>
  );
}

/** What an endpoint showed, and what to do about its faults. */
function Tried({ tried }: { tried: EndpointTried }): ReactNode {
  const { faults, chain_id: chain, head, head_age_seconds: age, finality } = tried;
  return (
    <div role="status" className="grid gap-2">
      {faults.length === 0 ? (
        <div>
          <Badge tone="paid" icon={CircleCheck}>
            {t('In order')}
          </Badge>
        </div>
      ) : (
        <div>
          <Badge tone="waiting" icon={TriangleAlert}>
            {t('With faults')}
          </Badge>
        </div>
      )}
      <DefinitionList
        facts={[
          [t('Chain'), chain],
          [t('Newest block'), head === null ? null : figures.format(head)],
          [t('Its age'), age === null ? null : `${figures.format(age)} s`],
          [t('Says what is final'), finality === null ? null : finality === 'finalized' ? t('Yes') : t('No')],
          [
            t('Blocks of history'),
            tried.archive_blocks === null ? null : figures.format(tried.archive_blocks),
          ],
          [t('Answers in'), tried.median_ms === null ? null : `${tried.median_ms} ms`],
        ]}
      />
      {faults.map(({ code, message, todo }) => (
        <Banner key={code} tone="waiting" title={ofGateway(message)}>
          {ofGateway(todo)}
        </Banner>
      ))}
    </div>
  );
}
