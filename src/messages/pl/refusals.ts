import type { refusals as english } from '../en/refusals.ts';
import { refusals as same } from '../en/refusals.ts';
import type { Translated } from '../en/translated.ts';

export const refusals: Translated<typeof english> = same;
