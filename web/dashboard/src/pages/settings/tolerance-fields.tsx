import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import type { Settings } from './queries.ts';

/** How much less than is due completes a payment. The first field has the name of the setting, whose faults it shows. */
export function ToleranceFields({ tolerance }: { tolerance: Settings['short_tolerance'] }): ReactNode {
  return (
    <>
      <Input
        name="short_tolerance"
        type="number"
        label={t('Less may come, in percent')}
        help={t(
          'Exchanges often keep a fee. If no more is missing when the time is up, the payment completes with what came. From 0 (never) to 5.',
        )}
        min={0}
        max={5}
        step={0.01}
        defaultValue={String(tolerance.percent)}
        required
      />
      <Input
        name="short_most"
        label={t('And at most, in US dollars')}
        help={t('Both limits hold.')}
        inputMode="decimal"
        pattern="[0-9]{1,9}([.][0-9]{1,2})?"
        defaultValue={tolerance.most}
        required
      />
    </>
  );
}

/** The setting as its call takes it. */
export function toleranceOf({ short_tolerance: percent, short_most: most }: FormValues) {
  return { percent: Number(percent), most: String(most) };
}
