import type { RunProgram } from './run-program.ts';

/** What an upgrade asks of the machine. Each may be done again after a kill in the middle of it. */
export type Machine = {
  /** The folder of the program that is installed. */
  program: string;
  /** Copies a package to where the upgrade keeps it, with its digest compared where there is a list of them; says both versions. */
  take(file: string): Promise<{ from: string; to: string }>;
  /** Unpacks the package that was taken, without installing it; returns the folder of its program. */
  unpack(): Promise<string>;
  /** Makes a package of what is installed. */
  keep(): Promise<void>;
  /** Removes the backup of an earlier try, and makes its folder for the user of the data. */
  forgetBackup(): Promise<void>;
  /** Installs the package that was taken, or the one that was kept. It starts nothing. */
  install(which: 'next' | 'before'): Promise<void>;
  /** Starts the gateway, and returns at once; nothing happens where it runs. */
  start(): Promise<void>;
  /** Ends the gateway, and returns when it has ended. */
  stop(): Promise<void>;
  /** False also where it ended by itself and was started again. */
  isRunning(): Promise<boolean>;
  run: RunProgram;
};
