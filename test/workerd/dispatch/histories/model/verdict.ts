/** An item in the errors of a refusal. */
export interface Item {
  field: string;
  code: string;
  rejectedValue?: unknown;
}

/** The answer that the API defines for a request. */
export type Verdict =
  | { status: number; body?: unknown }
  | {
      status: number;
      /** Several codes, if the API defines no order between different faults. */
      codes: string[];
      errors?: Item[];
      allowedValues?: readonly string[];
    };

export type Refusal = Extract<Verdict, { codes: string[] }>;

export const answered = (body?: unknown, status = 200): Verdict => ({ status, body });

export function refused(
  status: number,
  code: string,
  more: { errors?: Item[]; allowedValues?: readonly string[] } = {},
): Refusal {
  return { status, codes: [code], ...more };
}
