import { useQuery } from '@tanstack/react-query';
import { Download, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OwnProof } from '../../../../../gateway/src/treasury/proofs/console-answers.ts';
import { checkPath, checkStatement, readProofFile } from '../../../../proof/check.ts';
import { decimalOfUnits, type ProofPath, type SignedStatement } from '../../../../proof/statement.ts';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Card } from '../../ui/layout/card.tsx';

/** What the host published of what it owes and holds, and where this business is in it; nothing where nothing was published. */
export function ProofCard(): ReactNode {
  const { mode, path } = useScope();
  const address = path('/proof');
  const { data } = useQuery({
    queryKey: [address, {}],
    queryFn: ({ signal }) => api<OwnProof>(address, { signal }),
    enabled: mode === 'live',
  });
  return data ? <Published proof={data} /> : null;
}

function Published({ proof }: { proof: NonNullable<OwnProof> }): ReactNode {
  const [outcome, setOutcome] = useState<string[]>();
  const own = proof.path === null ? [] : balancesOf(proof.statement, proof.path);
  return (
    <Card
      title={t('What is owed and held')}
      description={
        <>
          {t('Published by whoever runs this gateway:')} <Time at={proof.made_at} />
        </>
      }
      actions={
        <>
          <a className={buttonClass('quiet', 'small')} href={proof.url} target="_blank" rel="noreferrer">
            <ExternalLink size={14} aria-hidden /> {t('The statement')}
          </a>
          {proof.path !== null && (
            <a
              className={buttonClass('quiet', 'small')}
              href={`data:application/json,${encodeURIComponent(proof.path)}`}
              download="florin-proof-path.json"
            >
              <Download size={14} aria-hidden /> {t('Your path')}
            </a>
          )}
        </>
      }
    >
      {proof.path === null ? (
        <p className="text-sm text-quiet">{t('You had no balance then.')}</p>
      ) : (
        <>
          <DefinitionList facts={own} />
          <Button onClick={async () => setOutcome(await faultsOf(proof.statement, proof.path ?? ''))}>
            {t('Look for your balance in it')}
          </Button>
        </>
      )}
      {outcome && (
        <Banner
          tone={outcome.length === 0 ? 'paid' : 'lost'}
          title={
            outcome.length === 0
              ? t('Your balance is in it, computed by this browser')
              : t('Something is wrong')
          }
        >
          {outcome.join(' ')}
        </Banner>
      )}
    </Card>
  );
}

/** What is wrong with the statement and the path, in English; empty: nothing. */
async function faultsOf(statement: string, path: string): Promise<string[]> {
  const [signed, own] = [readProofFile(statement), readProofFile(path)];
  if (!('signature' in signed)) return 'why' in signed ? [signed.why] : [];
  if (!('leaves' in own)) return 'why' in own ? [own.why] : [];
  return [...(await checkStatement(signed)), ...checkPath(signed.statement, own)].map(({ why }) => why);
}

function balancesOf(statement: string, path: string): [string, ReactNode][] {
  const { assets } = (JSON.parse(statement) as SignedStatement).statement;
  return (JSON.parse(path) as ProofPath).leaves.map(({ asset, units }) => {
    const scale = assets.find((each) => each.asset === asset)?.scale ?? 0;
    const amount = decimalOfUnits(BigInt(units), scale);
    return [assetName(asset), <Money key={asset} amount={amount} currency={asset.split('-')[0] ?? ''} />];
  });
}
