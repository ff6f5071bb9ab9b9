import { ChevronDown, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import type { PaymentStatus } from '../../../ui/display/status-badge.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { shortDuration } from './duration.ts';
import { OutcomeChoice } from './outcome-choice.tsx';
import { Played, Waiting } from './played.tsx';
import {
  type Scenario,
  type SimulatedPayment,
  usePlay,
  useScenarios,
  useScript,
  type Wish,
} from './queries.ts';
import { ScriptPicture } from './script-picture.tsx';

const delays = [0, 10, 60, 600, 3_600, 86_400].map((seconds) => ({
  value: `${seconds}`,
  label: seconds === 0 ? t('At once') : t('After {seconds}', { seconds: shortDuration(seconds) }),
}));

const open: readonly PaymentStatus[] = ['unlinked', 'linked', 'pending'];

/** Simulates how a test payment goes on, and shows first what will happen. Folded where the payment has ended. */
export function Simulator({ payment }: { payment: SimulatedPayment }): ReactNode {
  // It stays as it is when the payment ends meanwhile.
  const [isOpen, setOpen] = useState(open.includes(payment.payment_status));
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group min-w-0 rounded-xl border border-line bg-surface"
    >
      <summary className="flex items-center gap-3 rounded-xl p-4 sm:px-5">
        <span className="grid min-w-0 flex-1 gap-0.5">
          <h2 className="text-base font-semibold">{t('Simulate')}</h2>
          <span className="text-sm text-quiet">
            {t('No money moves. Later steps wait for the test clock.')}
          </span>
        </span>
        <ChevronDown
          size={18}
          aria-hidden
          className="shrink-0 text-quiet transition-transform group-open:rotate-180"
        />
      </summary>
      {isOpen && (
        <div className="grid min-w-0 gap-4 px-4 pb-4 sm:px-5 sm:pb-5">
          <Scenarios payment={payment} />
        </div>
      )}
    </details>
  );
}

function Scenarios({ payment }: { payment: SimulatedPayment }): ReactNode {
  const scenarios = useScenarios();
  const [isPlayed, setPlayed] = useState(false);
  if (isPlayed) return <Played payment={payment} onAgain={() => setPlayed(false)} />;
  if (scenarios.data) {
    return (
      <>
        <Waiting payment={payment} />
        <Wishes payment={payment} scenarios={scenarios.data.items} onPlayed={() => setPlayed(true)} />
      </>
    );
  }
  if (scenarios.isError) return <ErrorState error={scenarios.error} onRetry={() => scenarios.refetch()} />;
  return <SkeletonRows rows={3} />;
}

type WishesProps = { payment: SimulatedPayment; scenarios: readonly Scenario[]; onPlayed: () => void };

function Wishes({ payment, scenarios, onPlayed }: WishesProps): ReactNode {
  const { payment_reference: reference, currency } = payment;
  const [wish, setWish] = useState<Wish>({ outcomes: ['success'], amount: '', delaySeconds: 0 });
  const takesAmount = scenarios.every(
    ({ outcome, takes_amount }) => takes_amount || !wish.outcomes.includes(outcome),
  );
  const asked = takesAmount ? wish : { ...wish, amount: '' };
  const script = useScript(reference, asked);
  const play = usePlay(reference);
  return (
    <>
      <OutcomeChoice
        scenarios={scenarios}
        chosen={wish.outcomes}
        onChange={(outcomes) => setWish({ ...wish, outcomes })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label={t('Amount in {currency}', { currency })}
          required={false}
          inputMode="decimal"
          autoComplete="off"
          disabled={!takesAmount}
          placeholder={takesAmount ? t('As the outcome defines') : t('Not used by this outcome')}
          value={asked.amount}
          onChange={({ target }) => setWish({ ...wish, amount: target.value.trim() })}
        />
        <Select
          label={t('Starts')}
          choices={delays}
          value={`${wish.delaySeconds}`}
          onChange={({ target }) => setWish({ ...wish, delaySeconds: Number.parseInt(target.value, 10) })}
        />
      </div>
      {script.isError ? (
        <Banner tone="waiting" role="status" title={t('This cannot be simulated')}>
          {messageOf(script.error)}
        </Banner>
      ) : script.data ? (
        <ScriptPicture steps={script.data.steps} />
      ) : (
        <Skeleton className="h-20 w-full" />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          pending={play.isPending}
          disabled={script.isError || script.isPlaceholderData || !script.data}
          onClick={() => play.mutate(asked, { onSuccess: onPlayed })}
        >
          <Play size={16} aria-hidden /> {t('Simulate')}
        </Button>
      </div>
    </>
  );
}
