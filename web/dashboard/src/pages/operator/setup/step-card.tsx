import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { changes, type Step, sayDone } from './queries.ts';

type StepCardProps = {
  step: Step;
  title: string;
  description: string;
  children?: ReactNode;
};

/** A step with its state, the settings that it is about, and what to do. */
export function StepCard({ step, title, description, children }: StepCardProps): ReactNode {
  const { done_at: doneAt, settings } = step;
  return (
    <Card
      title={title}
      description={doneAt === null ? description : rich('Done {time}.', { time: <Time at={doneAt} /> })}
      actions={
        doneAt === null ? (
          <Badge icon={CircleDashed}>{t('Open')}</Badge>
        ) : (
          <Badge tone="paid" icon={CircleCheck}>
            {t('Done')}
          </Badge>
        )
      }
    >
      {settings.length > 0 && (
        <DefinitionList
          facts={settings.map((setting) => [setting.name, <Value key="value" {...setting} />])}
        />
      )}
      {children}
    </Card>
  );
}

/** A setting as the file or the environment has it; it is changed there. */
function Value({ value, from }: Step['settings'][number]): ReactNode {
  return (
    <span className="flex flex-wrap gap-x-3">
      {value !== null && <span className="font-mono">{value}</span>}
      <span className="text-quiet">
        {from !== null ? t('set by {from}', { from }) : value === null ? t('not set') : t('its default')}
      </span>
    </span>
  );
}

/** What is done about a step: ways to where that is, and the mark of what the gateway cannot see by itself. */
export function StepActions({ step, children }: { step: Step; children?: ReactNode }): ReactNode {
  const { mutate, isPending } = useAct(() => sayDone(step.step), { changes });
  return (
    <div className="flex flex-wrap gap-2">
      {children}
      {step.done_at === null && (
        <Button pending={isPending} onClick={() => mutate()}>
          {t('Mark as done')}
        </Button>
      )}
    </div>
  );
}
