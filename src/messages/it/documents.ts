import type { documents as english } from '../en/documents.ts';
import { documents as same } from '../en/documents.ts';
import type { Translated } from '../en/translated.ts';

export const documents: Translated<typeof english> = same;
