import { clsx } from 'clsx';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OnboardingStep } from '../../../../../../gateway/src/payments/api/console-answers/overview.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { MadePayment } from '../../payments/new/create-payment.ts';
import type { EndpointWithSecret } from '../../webhooks/types/endpoint.ts';
import { EndpointStep } from './endpoint-step.tsx';
import { KeyStep } from './key-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import { StepLink } from './step-link.tsx';
import { stepWords } from './step-words.ts';

type StepName = OnboardingStep['step'];

/** In test mode the server is there before the payment that it is told of. */
const ofTest: readonly StepName[] = ['key', 'endpoint', 'payment', 'completed', 'verified'];

/**
 * The steps to the first live payment, each of which is done where it stands. The sheet is open until the first payment was
 * completed; whoever comes later finds it folded, with what comes next.
 */
export function FirstSteps({ steps: known }: { steps: readonly OnboardingStep[] }): ReactNode {
  const { mode } = useScope();
  const steps = mode === 'test' ? inOrder(known) : known;
  const next = steps.find(({ done }) => !done);
  const [wasNew, setWasNew] = useState(false);
  const isNew = !isDone(steps, 'completed');
  // It stays open until the page is left, so that the last ticks are seen.
  if (isNew && !wasNew) setWasNew(true);
  if (!next) return null;
  const done = steps.filter((step) => step.done).length;
  const list = <Steps steps={steps} next={next} />;
  if (isNew || wasNew) {
    return (
      <Card title={t('First steps')} description={t('A step is ticked as soon as it is done.')}>
        <Progress
          label={t('Steps done')}
          value={done}
          max={steps.length}
          text={t('{done} of {total}', { done, total: steps.length })}
        />
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

function inOrder(steps: readonly OnboardingStep[]): OnboardingStep[] {
  const first = ofTest.flatMap((name) => steps.find(({ step }) => step === name) ?? []);
  return [...first, ...steps.filter(({ step }) => !ofTest.includes(step))];
}

const isDone = (steps: readonly OnboardingStep[], name: StepName): boolean =>
  steps.some(({ step, done }) => step === name && done);

/**
 * In test mode the key, the endpoint and the payment are open until they are done, so that none has to wait for another, and
 * what was created on this page stays in view, such as the secret of the endpoint.
 */
function Steps({ steps, next }: { steps: readonly OnboardingStep[]; next: OnboardingStep }): ReactNode {
  const { mode } = useScope();
  const [wasCopied, setCopied] = useState(false);
  const [endpoint, setEndpoint] = useState<EndpointWithSecret>();
  const [payment, setPayment] = useState<MadePayment>();

  function bodyOf({ step, done }: OnboardingStep): ReactNode {
    const isNext = step === next.step;
    if (mode === 'test') {
      if (step === 'key' && (!done || wasCopied)) return <KeyStep onCopied={() => setCopied(true)} />;
      if (step === 'endpoint' && (!done || endpoint))
        return <EndpointStep made={endpoint} isNext={isNext} onMade={setEndpoint} />;
      if (step === 'payment' && (!done || payment))
        return (
          <PaymentStep
            made={payment}
            isPaid={isDone(steps, 'completed')}
            isNext={isNext}
            onMade={setPayment}
          />
        );
      if (step === 'completed' && payment) return null;
    }
    return isNext ? <StepLink step={step} variant="quiet" /> : null;
  }

  return (
    <ol className="grid min-w-0 gap-1">
      {steps.map((step) => (
        <Step key={step.step} step={step} isNext={step === next}>
          {bodyOf(step)}
        </Step>
      ))}
    </ol>
  );
}

type StepProps = { step: OnboardingStep; isNext: boolean; children: ReactNode };

function Step({ step: { step, done }, isNext, children }: StepProps): ReactNode {
  const { mode } = useScope();
  const { title, help } = stepWords(step, mode);
  const Icon = done ? CircleCheck : isNext ? CircleDot : Circle;
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
        {children !== null && <div className="mt-1.5 grid min-w-0 gap-3">{children}</div>}
      </div>
    </li>
  );
}
