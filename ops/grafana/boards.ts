import { type Board, boardOf } from './board.ts';
import { database } from './boards/database.ts';
import { money } from './boards/money.ts';
import { networks } from './boards/networks.ts';
import { requests } from './boards/requests.ts';
import { webhooks } from './boards/webhooks.ts';

export const boards: readonly Board[] = [requests, money, networks, webhooks, database];

/** The files of the boards, from the repository's root, with what each must hold. */
export const boardFiles: readonly { path: string; text: string }[] = boards.map((board) => ({
  path: `ops/grafana/florin-${board.name}.json`,
  text: `${JSON.stringify(boardOf(board), null, 2)}\n`,
}));
