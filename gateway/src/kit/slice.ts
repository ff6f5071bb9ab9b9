import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { ErrorRow } from './errors.ts';

/** Work that a slice does again and again while the gateway runs. */
export type LoopPlan = {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  /** The gateway is ready without it: an endpoint of a chain that is down must not stop other payments. */
  isOptional?: boolean;
  /** It keeps the memory of this process, so every process runs it. Other loops may run in one process for all. */
  isOwn?: boolean;
};

/** What a slice adds to the gateway; `app.ts` joins them. `Dashboard` declares calls of the dashboard. */
export type Slice<Dashboard> = {
  routes?: {
    /** Calls for merchants' programs, which the request log notes. */
    api?(api: FastifyInstance): void;
    /** Pages, files and calls that no API key is needed for. */
    pages?(server: FastifyInstance): void | Promise<void>;
    /** Calls of the dashboard, and, on `server`, calls by people who have no session yet. */
    dashboard?(dashboard: Dashboard, server: FastifyInstance): void;
  };
  /** The refusals of its calls, for the API's document. */
  errors?: Readonly<Record<string, ErrorRow>>;
  loops?: LoopPlan[];
  metrics?(registry: Registry): void;
  /** Starts work of this process that does not run as a loop. */
  start?(): void;
  /** Starts work of the whole installation that does not run as a loop. */
  startWork?(): void;
  /** Ends exchanges with other servers, so that loops that wait for them can end. */
  disconnect?(): Promise<void>;
  /** Finishes what is under way and frees what the slice holds; called after the loops have ended. */
  close?(): Promise<void>;
};
