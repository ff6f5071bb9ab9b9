import { type Child, startChild } from './child.ts';
import type { Driven } from './closed-load.ts';
import type { Contestant } from './contest.ts';
import { withCpu } from './cpu.ts';
import { type RunningGateway, withGateway } from './gateway.ts';
import type { Load } from './load.ts';
import type { Figure } from './result.ts';
import type { YardstickPorts, YardstickRequest } from './yardsticks.ts';

/** How a row is run. */
export type RowOptions = {
  /** Length of each measurement. */
  seconds: number;
  progress: (line: string) => void;
  /** How many payments `growth` makes. */
  payments: number;
};

const shortSeconds = 1;

/** A run of such short measurements only shows that the bench works: it skips what takes long to set up. */
export const isShort = (seconds: number): boolean => seconds < shortSeconds;

/** The numbers of connections with which a row is measured. */
export const connectionCounts = (seconds: number): number[] => (isShort(seconds) ? [64] : [64, 256]);

/** A gateway, its yardsticks and the load generator, each a process. */
export type HttpRig = {
  gateway: RunningGateway;
  yardsticks: Child<YardstickRequest, YardstickPorts>;
  ports: YardstickPorts;
  load: Child<Load, Driven>;
};

export async function withHttpRig<T>(work: (rig: HttpRig) => Promise<T>): Promise<T> {
  return await withGateway(async (gateway) => {
    const yardsticks = startChild<YardstickRequest, YardstickPorts>('yardsticks.ts');
    const load = startChild<Load, Driven>('load.ts');
    try {
      const ports = await yardsticks.ask({ dataDir: gateway.dataDir, payUrl: gateway.demo.pay_url });
      return await work({ gateway, yardsticks, ports, load });
    } finally {
      await Promise.all([yardsticks.stop(), load.stop()]);
    }
  });
}

const warmUpSeconds = 2;

/** Contestants that answer the same requests on other ports, with their CPU time, and their warm-up. */
export function httpContestants(
  { load, gateway, yardsticks }: Pick<HttpRig, 'load' | 'gateway' | 'yardsticks'>,
  ports: { name: string; port: number }[],
  common: Omit<Load, 'port'>,
): { contestants: [Contestant, ...Contestant[]]; warmUp: (contestant: Contestant) => Promise<unknown> } {
  const portOf = new Map(ports.map(({ name, port }) => [name, port]));
  const drive = async (name: string, seconds: number): Promise<Figure> => {
    const ask = () => load.ask({ ...common, seconds, port: portOf.get(name)! });
    const process = name === 'gateway' ? gateway.processes.gateway : yardsticks.pid;
    return await withCpu({ ...gateway.processes, gateway: process }, ask);
  };
  const contestants = ports.map(({ name }) => ({ name, measure: () => drive(name, common.seconds) }));
  return {
    contestants: contestants as [Contestant, ...Contestant[]],
    warmUp: ({ name }) => drive(name, Math.min(common.seconds, warmUpSeconds)),
  };
}
