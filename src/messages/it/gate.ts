import type { gate as english } from '../en/gate.ts';
import { gate as same } from '../en/gate.ts';
import type { Translated } from '../en/translated.ts';

export const gate: Translated<typeof english> = same;
