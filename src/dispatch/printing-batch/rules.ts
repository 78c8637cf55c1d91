import { cannotBecome, named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Block } from '../marker/rules.ts';
import type { BATCH_STATUSES, LABEL_FORMATS } from './table.ts';

export type BatchStatus = (typeof BATCH_STATUSES)[number];
export type LabelFormat = (typeof LABEL_FORMATS)[number];

/** Resolutions of printers in dots per millimetre: 203, 300 and 600 dpi. */
export const RESOLUTIONS = [8, 12, 24] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The statuses that may follow each status of a batch. A status without any is closed. */
export const BATCH_TRANSITIONS: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  CREATED: ['IN_PROGRESS', 'COMPLETED', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

/**
 * The refusal to change a batch from one status to another; undefined if it is allowed or the
 * status is the same.
 */
export function refuseMove(
  { uuid, status: from }: { uuid: string; status: BatchStatus },
  to: BatchStatus,
): Refusal | undefined {
  const allowedValues = BATCH_TRANSITIONS[from];
  if (from === to || allowedValues.includes(to)) return undefined;
  const name = named('Printing batch', uuid);
  if (allowedValues.length === 0)
    return refusal('batchClosed', `${name} is ${from}.`, { facts: { status: from } });
  const detail = cannotBecome(name, from, to);
  return refusal('transitionNotAllowed', detail, { facts: { status: from, to }, allowedValues });
}

/** The part of a block that a reprint asks for. A missing end is the end of the block. */
export function partOf(block: Block, asked: { [K in keyof Block]?: number | undefined }): Block | Refusal {
  const part = {
    firstMarkerCode: asked.firstMarkerCode ?? block.firstMarkerCode,
    lastMarkerCode: asked.lastMarkerCode ?? block.lastMarkerCode,
  };
  const within = (code: number) => code >= block.firstMarkerCode && code <= block.lastMarkerCode;
  const errors = (['firstMarkerCode', 'lastMarkerCode'] as const)
    .filter((field) => !within(part[field]) || part.firstMarkerCode > part.lastMarkerCode)
    .map((field) => ({
      field,
      code: 'validationFailed' as const,
      message: `Use codes from ${block.firstMarkerCode} to ${block.lastMarkerCode}, the lower one first.`,
      rejectedValue: asked[field],
    }));
  if (errors.length === 0) return part;
  const { message } = errors[0]!;
  return refusal('validationFailed', `The requested labels are not in this printing batch. ${message}`, {
    errors,
  });
}
