import type { Console } from '../../identity/console/console.ts';
import { OwnProof } from './console-answers.ts';
import type { Proofs } from './store.ts';

/** The newest proof statement, with the path of a business in it (contract.md#proof). */
export function proofRoutes(dashboard: Console, proofs: Proofs, baseUrl: string): void {
  dashboard.get('mode', '/proof', { may: 'read', answer: OwnProof }, async ({ integration, owner }) => {
    const [signed] = owner.mode === 'live' ? await proofs.list(1) : [];
    if (!signed) return { message: 'Proof', data: null };
    const { id, made_at } = signed.statement;
    const path = await proofs.pathOf(id, { kind: 'business', owner: integration.id });
    const texts = { statement: JSON.stringify(signed), path: path && JSON.stringify(path) };
    return { message: 'Proof', data: { id, made_at, url: `${baseUrl}/proof/${id}`, ...texts } };
  });
}
