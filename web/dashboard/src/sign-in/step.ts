/** What one step of a sign-in shows. */
export type Step = {
  /** The title of the window. */
  title: string;
  parts: readonly (Node | null)[];
  /** Where the person begins. */
  focus: HTMLElement;
  /** Ends what runs while it is shown. */
  end: () => void;
};
