import { type ProblemItem, type Refusal, refusal } from './problem.ts';

/** Whether a text cannot be part of a path: URLs leave out the segments `.` and `..` (RFC 3986 section 5.2.4). */
export const isDots = (identifier: string): boolean => identifier === '.' || identifier === '..';

/** The reason to refuse such an identifier where it would be created. Stored ones stay readable by UUID. */
export const DOTS_FAULT = 'An identifier must not be "." or "..", because these cannot be part of a path.';

/** The refusal (400) of the identifiers that a request would create; undefined if all can be part of a path. */
export function dotsRefusal(
  created: Iterable<readonly [field: string, identifier: string]>,
): Refusal | undefined {
  const errors = [...created]
    .filter(([, identifier]) => isDots(identifier))
    .map(
      ([field, rejectedValue]): ProblemItem => ({
        field,
        code: 'validationFailed',
        message: DOTS_FAULT,
        rejectedValue,
      }),
    );
  return errors.length === 0
    ? undefined
    : refusal('validationFailed', `${errors[0]!.field}: ${DOTS_FAULT}`, { errors });
}
