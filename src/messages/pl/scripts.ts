import type { scripts as english } from '../en/scripts.ts';
import { scripts as same } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

export const scripts: Translated<typeof english> = same;
