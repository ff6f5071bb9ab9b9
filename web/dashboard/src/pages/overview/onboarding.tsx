import { clsx } from 'clsx';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { useKeyWord } from '../../api/test-key.ts';
import { t } from '../../texts/t.ts';
import { Code } from '../../ui/display/code.tsx';
import { Progress } from '../../ui/feedback/progress.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { commandOf } from './commands.ts';
import type { OnboardingStep } from './queries.ts';
import { StepLink } from './step-link.tsx';
import { stepWords } from './step-words.ts';

/** The steps to the first live payment: in full until a payment was created, then only the next one. */
export function OnboardingList({ steps }: { steps: readonly OnboardingStep[] }): ReactNode {
  const { mode } = useScope();
  const next = steps.find(({ done }) => !done);
  const done = steps.filter((step) => step.done).length;
  const isNew = steps.some(({ step, done: ticked }) => step === 'payment' && !ticked);
  if (!next) return null;
  const list = (
    <ol className="grid gap-1">
      {steps.map((step) => (
        <Step key={step.step} step={step} isNext={step === next} />
      ))}
    </ol>
  );
  const progress = (
    <Progress
      label={t('Steps done')}
      value={done}
      max={steps.length}
      text={t('{done} of {total}', { done, total: steps.length })}
    />
  );
  if (isNew) {
    return (
      <Card title={t('First steps')} description={t('A step is ticked as soon as it is done.')}>
        {progress}
        {list}
      </Card>
    );
  }
  return (
    <details className="group rounded-xl border border-line bg-surface">
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm sm:px-5">
        <CircleDot size={17} aria-hidden className="shrink-0 text-accent" />
        <span className="font-semibold">
          {t('Next: {title}', { title: stepWords(next.step, mode).title })}
        </span>
        <span className="text-quiet tabular-nums">
          {t('{done} of {total} first steps done', { done, total: steps.length })}
        </span>
        <span className="ml-auto text-accent-strong group-open:hidden">{t('Show all')}</span>
        <span className="ml-auto hidden text-accent-strong group-open:inline">{t('Hide')}</span>
      </summary>
      <div className="border-t border-line p-4 sm:px-5">{list}</div>
    </details>
  );
}

function Step({ step, isNext }: { step: OnboardingStep; isNext: boolean }): ReactNode {
  const { mode } = useScope();
  const { done } = step;
  const { title, help } = stepWords(step.step, mode);
  const key = useKeyWord();
  const Icon = done ? CircleCheck : isNext ? CircleDot : Circle;
  const command = isNext ? commandOf(step.step, location.origin, key) : null;
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={clsx('flex min-w-0 gap-3 rounded-lg p-2', isNext && 'bg-sunken')}
    >
      <Icon
        size={19}
        aria-hidden
        className={clsx('mt-0.5 shrink-0', done ? 'text-paid' : isNext ? 'text-accent' : 'text-quiet')}
      />
      <div className="grid min-w-0 flex-1 gap-1 text-sm">
        <p className={clsx(isNext && 'font-semibold', done && 'text-quiet')}>
          {title}
          {done && <span className="sr-only">{t(': done')}</span>}
        </p>
        {!done && <p className="text-quiet">{help}</p>}
        {command !== null && (
          <div className="mt-1">
            <Code text={command} label={t('In a terminal')} />
          </div>
        )}
        {isNext && (
          <p className="mt-1">
            <StepLink step={step.step} variant={command === null ? 'primary' : 'quiet'} />
          </p>
        )}
      </div>
    </li>
  );
}
