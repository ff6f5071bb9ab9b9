import { CircleCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { type Pair, type RatePair, type Rates, ratesPath, type SourceAnswer, typeRate } from './queries.ts';
import { TypeRateDialog } from './type-rate-dialog.tsx';

type Act = { kind: 'type'; pair: Pair | null } | { kind: 'take back'; pair: Pair };

/** Each pair with its rate, what its sources say, and the rate that an operator typed. */
export function RatePairs({ rates }: { rates: Rates }): ReactNode {
  const { pairs } = rates;
  const [act, setAct] = useState<Act | null>(null);
  const close = (): void => setAct(null);
  const columns: Column<RatePair>[] = [
    ...columnsOfRates,
    {
      key: 'typed',
      head: t('Typed rate'),
      align: 'end',
      cell: (pair) => (
        <Typed
          pair={pair}
          onType={() => setAct({ kind: 'type', pair })}
          onTakeBack={() => setAct({ kind: 'take back', pair })}
        />
      ),
    },
  ];
  return (
    <Card
      title={t('Rates of prices')}
      description={t(
        'What one coin is worth, for payments with a price. At least two sources must agree within 2%; a typed rate replaces them.',
      )}
      actions={<Button onClick={() => setAct({ kind: 'type', pair: null })}>{t('Type a rate')}</Button>}
    >
      {pairs.length === 0 ? (
        <p className="text-sm text-quiet">
          {t('No source is configured and no rate is typed: payments with a price are refused in live mode.')}
        </p>
      ) : (
        <Table
          caption={t('Pairs with what their sources say')}
          columns={columns}
          rows={pairs}
          rowKey={({ currency, price_currency }) => `${currency}/${price_currency}`}
        />
      )}
      {act?.kind === 'type' && <TypeRateDialog pair={act.pair} rates={rates} onClose={close} />}
      {act?.kind === 'take back' && (
        <ConfirmDialog
          open
          onClose={close}
          title={t('Take the typed rate of {pair} back', { pair: nameOf(act.pair) })}
          action={t('Take it back')}
          onConfirm={() => typeRate(act.pair, { rate: null })}
          done={(outcome) => outcomeWords(outcome, t('The sources decide again.'))}
          changes={[ratesPath]}
        >
          {t(
            'New payments follow the sources again. Where these give no rate, payments with a price are refused.',
          )}
        </ConfirmDialog>
      )}
    </Card>
  );
}

const nameOf = ({ currency, price_currency }: Pair): string => `${currency}/${price_currency}`;

function Typed({
  pair: { typed },
  onType,
  onTakeBack,
}: {
  pair: RatePair;
  onType: () => void;
  onTakeBack: () => void;
}): ReactNode {
  if (typed === null) return <Button onClick={onType}>{t('Type a rate')}</Button>;
  return (
    <span className="inline-grid justify-items-end gap-1">
      <span className="tabular-nums">{typed.rate}</span>
      <span className="text-sm text-quiet">
        {typed.holds
          ? rich('until {time}', { time: <Time at={typed.ends_at} exact /> })
          : rich('ended {time}', { time: <Time at={typed.ends_at} /> })}
      </span>
      <span className="flex flex-wrap justify-end gap-2">
        <Button onClick={onType}>{t('Change')}</Button>
        <Button onClick={onTakeBack}>{t('Take it back')}</Button>
      </span>
    </span>
  );
}

/** Why a pair has no rate. */
const whys: Record<NonNullable<RatePair['why']>, string> = {
  silent: t('No fresh answer'),
  alone: t('One source alone'),
  split: t('Sources disagree'),
  uncrossed: t('No rate of USD in this currency'),
};

const columnsOfRates: Column<RatePair>[] = [
  { key: 'pair', head: t('Pair'), cell: (pair) => <b className="font-semibold">{nameOf(pair)}</b> },
  {
    key: 'rate',
    head: t('Rate'),
    cell: ({ rate, at, why, spread_percent, is_away }) =>
      rate === null ? (
        <Badge tone="lost" icon={TriangleAlert}>
          {why && whys[why]}
        </Badge>
      ) : (
        <span className="inline-grid gap-1">
          <span className="tabular-nums">{rate}</span>
          <span className="text-sm text-quiet">
            <Time at={at} />
            {spread_percent !== null && ` · ${t('spread {percent}%', { percent: spread_percent })}`}
          </span>
          {is_away && (
            <Badge tone="lost" icon={TriangleAlert}>
              {t('More than 2% away from 1 USD')}
            </Badge>
          )}
        </span>
      ),
  },
  {
    key: 'sources',
    head: t('Answers'),
    from: 'md',
    cell: ({ sources }) => (
      <ul className="grid gap-1 text-sm">
        {sources.map((source) => (
          <li key={source.name} className="wrap-anywhere">
            <Answer {...source} />
          </li>
        ))}
      </ul>
    ),
  },
];

/** What became of an answer that is not used. */
const verdicts: Record<Exclude<SourceAnswer['verdict'], 'used' | 'wrong'>, string> = {
  old: t('too old'),
  apart: t('not used: it stands apart'),
  replaced: t('replaced by the typed rate'),
};

function Answer({ name, rate, at, verdict, fault }: SourceAnswer): ReactNode {
  return (
    <>
      {verdict === 'used' && <CircleCheck size={14} aria-hidden className="mr-1 inline shrink-0 text-paid" />}
      {name} {rate !== null && <span className="tabular-nums">{rate}</span>}{' '}
      <span className="text-quiet">
        <Time at={at} />
      </span>
      {verdict !== 'used' && (
        <span className="text-lost"> · {verdict === 'wrong' ? fault : verdicts[verdict]}</span>
      )}
    </>
  );
}
