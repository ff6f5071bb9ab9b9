import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import type { Score, Verdict } from './check.ts';

export const verdictLooks: Record<Verdict, { icon: LucideIcon; word: string; text: string; stroke: string }> =
  {
    kept: { icon: CircleCheck, word: t('kept'), text: 'text-paid', stroke: 'stroke-paid' },
    broken: { icon: CircleX, word: t('broken'), text: 'text-lost', stroke: 'stroke-lost' },
    unclear: { icon: CircleHelp, word: t('to look at'), text: 'text-waiting', stroke: 'stroke-waiting' },
  };

const verdicts: readonly Verdict[] = ['kept', 'broken', 'unclear'];

/** The score as a ring and in words. */
export function CheckScore({ score }: { score: Score }): ReactNode {
  const total = verdicts.reduce((sum, verdict) => sum + score[verdict], 0);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-xl border border-line bg-surface p-5">
      <Ring score={score} total={total} />
      <div className="grid gap-2">
        <p className="text-lg font-semibold">{headline(score)}</p>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {verdicts.map((verdict) => {
            const { icon: Icon, word, text } = verdictLooks[verdict];
            return (
              <li key={verdict} className="flex items-center gap-1.5">
                <Icon size={16} aria-hidden className={text} />
                <span className="font-semibold tabular-nums">{score[verdict]}</span> {word}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

function headline({ broken, unclear }: Score): string {
  if (broken > 0) return counted(broken, 'One rule is broken', '{count} rules are broken');
  return unclear > 0 ? t('Nothing is broken') : t('Every rule is kept');
}

const radius = 42;
const circumference = 2 * Math.PI * radius;
/** Between two parts of the ring, in its own units. */
const gap = 3;

function Ring({ score, total }: { score: Score; total: number }): ReactNode {
  let from = 0;
  const parts = verdicts
    .filter((verdict) => score[verdict] > 0)
    .map((verdict) => {
      const length = (score[verdict] / Math.max(1, total)) * circumference;
      const part = { verdict, from, length };
      from += length;
      return part;
    });
  const between = parts.length > 1 ? gap : 0;
  return (
    <svg
      viewBox="0 0 100 100"
      className="size-28 shrink-0"
      role="img"
      aria-label={t('{kept} of {total} rules kept', { kept: score.kept, total })}
    >
      <circle cx="50" cy="50" r={radius} fill="none" strokeWidth="9" className="stroke-sunken" />
      <g transform="rotate(-90 50 50)" fill="none" strokeWidth="9">
        {parts.map(({ verdict, from: start, length }) => (
          <circle
            key={verdict}
            cx="50"
            cy="50"
            r={radius}
            className={verdictLooks[verdict].stroke}
            strokeDasharray={`${Math.max(0.5, length - between)} ${circumference}`}
            strokeDashoffset={-start}
          />
        ))}
      </g>
      <text x="50" y="50" textAnchor="middle" className="fill-ink text-xl font-semibold tabular-nums">
        {score.kept}
      </text>
      <text x="50" y="66" textAnchor="middle" className="fill-quiet text-[11px]">
        {t('of {total} kept', { total })}
      </text>
    </svg>
  );
}
