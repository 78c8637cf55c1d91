/** An item of a refusal. */
export interface Item {
  field: string;
  code: string;
  rejectedValue?: unknown;
}

/** What the contract says a request is answered with. */
export type Verdict =
  | { status: number; body?: unknown }
  | {
      status: number;
      /** Several, where faults of different codes are told at once and the contract gives no order. */
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
