import { z } from '@hono/zod-openapi';

/** A token as the contract names it; whatever else stands in its place names nothing. */
export const tokenParameter = z.string().openapi({ description: 'Names the page; nobody can guess it' });

/** Which page or part is asked for, from 1. */
export const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1 is needed.')
  .transform(Number)
  .default(1)
  .openapi({ type: 'integer', minimum: 1, maximum: 999_999_999 });
