import {
  decimalOfUnits,
  heldOf,
  owedOf,
  type ProofPath,
  type ProvedAsset,
  type SignedStatement,
} from '../../../../web/proof/statement.ts';
import { type Html, html, trusted } from '../../kit/http/html.ts';
import type { Translate } from '../messages/translate.ts';

/** What is owed and held of each asset, in units of the asset, and as a percentage. */
export function sumsTable(t: Translate, { statement }: SignedStatement): Html {
  return html`<table class="proof-sums"><thead><tr><th></th><th scope="col">${t('proofOwed')}</th><th scope="col">${t('proofHeld')}</th><th scope="col">%</th></tr></thead>
<tbody>${statement.assets.map((asset) => sumsRow(asset, heldOf(statement, asset.asset)))}</tbody></table>`;
}

function sumsRow(asset: ProvedAsset, held: bigint): Html {
  const owed = owedOf(asset);
  const decimal = (units: bigint) => html`<bdi>${decimalOfUnits(units, asset.scale)}</bdi>`;
  // Rounded down, so that 100 means that all is there.
  const percent = owed === 0n ? '100' : ((held * 100n) / owed).toString();
  return html`<tr><th scope="row"><bdi>${asset.asset}</bdi></th><td>${decimal(owed)}</td><td>${decimal(held)}</td><td>${percent}</td></tr>`;
}

/** JSON for the page's script. Browsers run nothing of this type. */
function data(id: string, content: object): Html {
  const json = JSON.stringify(content).replaceAll('<', '\\u003c');
  return html`<script type="application/json" id="${id}">${trusted(json)}</script>`;
}

/**
 * The form by which the browser checks a statement: with a path of the reader's own, or with fields for a file and for nodes of
 * the chains, which only the page of statements may ask.
 */
export function checkForm(t: Translate, signed: SignedStatement, path: ProofPath | null): Html {
  const fields =
    path === null &&
    html`${signed.statement.chains.map((chain) => nodeField(t, chain))}
<div class="field"><label for="proof-path-file">${t('proofPath')}</label><input type="file" id="proof-path-file" accept=".json,application/json"></div>`;
  return html`${data('proof-statement', signed)}${path && data('proof-path', path)}
<form id="proof-check" class="needs-script" data-good="${t('proofGood').text}" data-wrong="${t('proofWrong').text}" data-template="${t('proofNotAsked', { network: '{network}' }).text}">
${fields}<button class="button">${t('proofCheck')}</button>
<div id="proof-outcome" role="status" aria-live="polite"></div></form>`;
}

function nodeField(t: Translate, { chain_id, name }: { chain_id: number; name: string }): Html {
  const id = `proof-node-${chain_id}`;
  const label = t('proofNode', { network: `${name} (${chain_id})` });
  return html`<div class="field"><label for="${id}">${label}</label><input type="url" id="${id}" data-chain="${chain_id}" placeholder="https://"></div>`;
}

/** The balances of a path, as its owner reads them. */
export function ownBalances(t: Translate, { statement }: SignedStatement, { leaves }: ProofPath): Html {
  const amount = ({ asset, units }: ProofPath['leaves'][0]) => {
    const scale = statement.assets.find((each) => each.asset === asset)?.scale ?? 0;
    return html`<li><bdi>${decimalOfUnits(BigInt(units), scale)} ${asset}</bdi></li>`;
  };
  return html`<h2>${t('proofYours')}</h2><ul>${leaves.map(amount)}</ul>`;
}
