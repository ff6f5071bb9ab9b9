import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { useKeyWord } from '../../../api/test-key.ts';
import { amountText } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { Code } from '../../../ui/display/code.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { createPayment, type MadePayment } from '../../payments/new/create-payment.ts';
import { paymentCommand } from './commands.ts';
import { StepLink } from './step-link.tsx';

export type PaymentStepProps = {
  /** The payment that was created here. */
  made: MadePayment | undefined;
  isPaid: boolean;
  isNext: boolean;
  onMade: (made: MadePayment) => void;
};

const first = { amount: '10', currency: 'USDC', isPrice: false, asked: { currency: 'USDC' } };

/** Creates a payment by one press or by a call, then leads to its page, where it is paid. */
export function PaymentStep({ made, isPaid, isNext, onMade }: PaymentStepProps): ReactNode {
  const { path } = useScope();
  const may = useMay('create payments');
  const key = useKeyWord();
  const [idempotencyKey] = useState(newIdempotencyKey);
  const create = useAct(
    async () =>
      onMade(await createPayment(path('/payments'), { ...first, title: t('First payment'), idempotencyKey })),
    { changes: [path('/payments'), path('/onboarding')] },
  );
  if (made) return <PaymentMade made={made} isPaid={isPaid} />;
  if (!may) return <StepLink step="payment" variant="quiet" />;
  return (
    <>
      <div>
        <Button
          variant={isNext ? 'primary' : 'quiet'}
          pending={create.isPending}
          onClick={() => create.mutate()}
        >
          {t('Create a payment of 10 USDC')}
        </Button>
      </div>
      <details className="group min-w-0">
        <summary className="flex items-center gap-2 py-1 font-semibold">
          <ChevronRight
            size={16}
            aria-hidden
            className="shrink-0 text-quiet transition-transform group-open:rotate-90"
          />
          {t('Or by a call')}
        </summary>
        <div className="pt-2">
          <Code text={paymentCommand(location.origin, key)} label={t('In a terminal')} />
        </div>
      </details>
    </>
  );
}

function PaymentMade({
  made: { amount, currency, reference, url },
  isPaid,
}: {
  made: MadePayment;
  isPaid: boolean;
}): ReactNode {
  return (
    <>
      <p>
        <span className="font-semibold tabular-nums">
          {amountText(amount, currency)} {currency}
        </span>{' '}
        <PaymentLink reference={reference} />
      </p>
      <div>
        <a className={buttonClass(isPaid ? 'quiet' : 'primary')} href={url} target="_blank" rel="noreferrer">
          {t('Open its page')}
        </a>
      </div>
    </>
  );
}
