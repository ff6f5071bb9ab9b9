import type { ReactNode } from 'react';
import type { Permission } from '../../../../../gateway/src/identity/console/answers/team.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';

/** What a role may do, in the words of the gateway's table of roles: first whether it moves money. */
export function RoleWords({ permissions }: { permissions: readonly Permission[] }): ReactNode {
  const wordsOf = (movesMoney: boolean): string =>
    permissions
      .filter(({ moves_money }) => moves_money === movesMoney)
      .map(({ words }) => ofGateway(words))
      .join(' · ');
  const [money, rest] = [wordsOf(true), wordsOf(false)];
  return (
    <span className="grid gap-1">
      <span className="text-ink">
        {money === '' ? t('Moves no money.') : t('Moves money: {words}', { words: money })}
      </span>
      <span>{t('May: {words}', { words: rest })}</span>
    </span>
  );
}
