import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { decimalsOf } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { ScrollRegion } from '../layout/scroll-region.tsx';
import { ColumnDecimals } from './money.tsx';

export type Column<Row> = {
  /** Unique among the columns. */
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** `end` for figures. */
  align?: 'start' | 'end';
  /** The amounts of a cell, shown by `Money`: their points stand below each other. */
  amounts?: (row: Row) => readonly (string | null)[];
  /** Left out on screens narrower than this. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
  /** Takes the remaining width, and is cut off rather than wrapped. */
  grow?: boolean;
  className?: string;
};

export type TableProps<Row> = {
  /** Says what the rows are; for screen readers, and the name of the region that scrolls. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row whose detail is open. */
  selected?: string | undefined;
  /** Below the rows, inside the frame: `Pagination` or sums. */
  footer?: ReactNode;
  /** Rows that are marked for an act on all of them; without it no row can be marked. */
  marking?: Marking;
  /** While newer rows are loading. */
  stale?: boolean;
};

type Marking = {
  /** The keys of the marked rows. */
  marked: ReadonlySet<string>;
  onChange: (marked: ReadonlySet<string>) => void;
  /** Names a row for screen readers: `Mark order-7`. */
  label: (key: string) => string;
};

const fromClass = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden', xl: 'max-xl:hidden' };

/**
 * Rows of a list. A row opens by a link in one of its cells with the class `row-link`, which is then pressed
 * wherever the row is; other controls in that row need `relative z-1`, which `Copy` and `Time` have.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  selected,
  footer,
  marking,
  stale = false,
}: TableProps<Row>): ReactNode {
  const decimals = new Map(columns.map((column) => [column.key, decimalsIn(column, rows)]));
  return (
    <ScrollRegion label={caption}>
      <table className={clsx('w-full border-collapse text-sm', stale && 'opacity-60 transition-opacity')}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {marking && <MarkAll marking={marking} keys={rows.map(rowKey)} />}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={clsx(
                  'sticky top-(--sticky-top,0px) z-2 h-10 bg-surface px-4 shadow-[inset_0_-1px_0_var(--line)] font-semibold whitespace-nowrap text-quiet',
                  cellClass(column),
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            return (
              <tr
                key={key}
                aria-current={key === selected ? 'true' : undefined}
                className={clsx(
                  'relative border-b border-line last:border-b-0 hover:bg-sunken',
                  (key === selected || marking?.marked.has(key)) && 'bg-accent-soft',
                )}
              >
                {marking && <Mark marking={marking} name={key} />}
                {columns.map((column) => (
                  <td key={column.key} className={clsx('h-12 px-4 py-1', cellClass(column))}>
                    <ColumnDecimals value={decimals.get(column.key)}>{column.cell(row)}</ColumnDecimals>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {footer !== undefined && (
        <div className="sticky left-0 border-t border-line px-4 py-2 empty:hidden">{footer}</div>
      )}
    </ScrollRegion>
  );
}

const boxClass = 'relative z-1 block size-4 accent-accent';

function Mark({ marking: { marked, onChange, label }, name }: { marking: Marking; name: string }): ReactNode {
  const isMarked = marked.has(name);
  return (
    <td className="w-0 py-1 pr-1 pl-4">
      <input
        type="checkbox"
        className={boxClass}
        aria-label={label(name)}
        checked={isMarked}
        onChange={() => onChange(isMarked ? without(marked, name) : new Set([...marked, name]))}
      />
    </td>
  );
}

function MarkAll({
  marking: { marked, onChange },
  keys,
}: {
  marking: Marking;
  keys: readonly string[];
}): ReactNode {
  const areAll = keys.length > 0 && keys.every((key) => marked.has(key));
  return (
    <th
      scope="col"
      className="sticky top-(--sticky-top,0px) z-2 w-0 bg-surface pr-1 pl-4 shadow-[inset_0_-1px_0_var(--line)]"
    >
      <input
        type="checkbox"
        className={boxClass}
        aria-label={t('Mark all of this page')}
        checked={areAll}
        onChange={() => onChange(areAll ? new Set() : new Set(keys))}
      />
    </th>
  );
}

function without(marked: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set([...marked].filter((each) => each !== name));
}

/** The most digits that stand after a point of the column, two at least; undefined: it shows no amounts. */
function decimalsIn<Row>({ amounts }: Column<Row>, rows: readonly Row[]): number | undefined {
  if (!amounts) return undefined;
  const shown = rows.flatMap(amounts).filter((amount) => amount !== null);
  return Math.max(2, ...shown.map(decimalsOf));
}

function cellClass<Row>({ align, from, grow, className }: Column<Row>): string {
  return clsx(
    align === 'end' ? 'text-right tabular-nums' : 'text-left',
    from && fromClass[from],
    grow && 'w-full max-w-0 truncate',
    className,
  );
}
