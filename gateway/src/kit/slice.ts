import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { ErrorRow } from './errors.ts';

/** Work that a slice does again and again while the gateway runs. */
export type LoopPlan = {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  /** The gateway is ready without it: an endpoint of a chain that is down holds up no other payment. */
  isOptional?: boolean;
  /** Keeps what this process holds in memory, so every process needs it; other work one process does for all. */
  isOwn?: boolean;
};

/** What a slice adds to the gateway; `app.ts` joins them. `Dashboard` declares calls of the dashboard. */
export type Slice<Dashboard> = {
  routes?: {
    /** Calls for merchants' programs, which the request log notes. */
    api?(api: FastifyInstance): void;
    /** Pages, files and calls that no API key is needed for. */
    pages?(server: FastifyInstance): void | Promise<void>;
    /** Calls of the dashboard, and on `server` those of people who have no session yet. */
    dashboard?(dashboard: Dashboard, server: FastifyInstance): void;
  };
  /** What its calls may be refused by, for the API's document. */
  errors?: Readonly<Record<string, ErrorRow>>;
  loops?: LoopPlan[];
  metrics?(registry: Registry): void;
  /** Starts what this process needs for itself and is no loop. */
  start?(): void;
  /** Starts work for the whole installation that is no loop. */
  startWork?(): void;
  /** Ends exchanges with others, so that the loops that wait for them can end. */
  disconnect?(): Promise<void>;
  /** After the loops have ended: finishes what is under way and frees what the slice holds. */
  close?(): Promise<void>;
};
