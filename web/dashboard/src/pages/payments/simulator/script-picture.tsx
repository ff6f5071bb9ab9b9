import { CircleCheck, CircleDot, CircleX, Hourglass, type LucideIcon, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { shortDuration } from './duration.ts';
import type { Step } from './queries.ts';

const looks: Record<Step['what'], { icon: LucideIcon; tone: string; word: string }> = {
  seen: { icon: CircleDot, tone: 'text-waiting', word: t('seen') },
  final: { icon: CircleCheck, tone: 'text-paid', word: t('final') },
  gone: { icon: CircleX, tone: 'text-lost', word: t('gone') },
  fail: { icon: CircleX, tone: 'text-lost', word: t('fails') },
  expire: { icon: Hourglass, tone: 'text-waiting', word: t('deadline') },
  dispute: { icon: Scale, tone: 'text-waiting', word: t('disputed') },
};

type PictureRow = { key: string; name: ReactNode; steps: readonly Step[] };

/** What will happen and when: one row for the payment and one for each transfer, one column for each moment. */
export function ScriptPicture({ steps }: { steps: readonly Step[] }): ReactNode {
  const moments = [...new Set(steps.map(({ after_seconds }) => after_seconds))].sort((a, b) => a - b);
  return (
    <ScrollRegion label={t('What will happen')}>
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{t('What will happen, by the test clock')}</caption>
        <thead>
          <tr className="border-b border-line text-quiet">
            <td className="px-3 py-2" />
            {moments.map((seconds) => (
              <th key={seconds} scope="col" className="px-2 py-2 font-normal whitespace-nowrap tabular-nums">
                {seconds === 0 ? t('at once') : `+ ${shortDuration(seconds)}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(steps).map((row) => (
            <tr key={row.key} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-2 font-normal">
                {row.name}
              </th>
              {moments.map((seconds) => (
                <td key={seconds} className="px-2 py-2 align-middle">
                  {row.steps
                    .filter(({ after_seconds }) => after_seconds === seconds)
                    .map((step) => (
                      <StepMark key={step.what} step={step} />
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function StepMark({ step: { what, transfer } }: { step: Step }): ReactNode {
  const { icon: Icon, tone, word } = looks[what];
  const confirmations = what === 'seen' ? (transfer?.confirmations ?? 0) : 0;
  return (
    <span className={`flex items-center gap-1.5 whitespace-nowrap tabular-nums ${tone}`}>
      <Icon size={16} aria-hidden className="shrink-0" />{' '}
      {confirmations > 0
        ? t('{confirmations} of {needed}', { confirmations, needed: transfer?.needed ?? 0 })
        : word}
    </span>
  );
}

function rowsOf(steps: readonly Step[]): PictureRow[] {
  const acts = steps.filter(({ transfer }) => transfer === null);
  const payment: PictureRow = {
    key: 'payment',
    name: t('The payment'),
    steps: acts,
  };
  const numbers = [...new Set(steps.flatMap(({ transfer }) => (transfer ? [transfer.number] : [])))];
  const transfers = numbers.map((number): PictureRow => {
    const own = steps.filter(({ transfer }) => transfer?.number === number);
    const { amount, asset } = own[0]!.transfer!;
    return { key: `${number}`, name: <Money amount={amount} currency={asset} />, steps: own };
  });
  return acts.length > 0 ? [payment, ...transfers] : transfers;
}
