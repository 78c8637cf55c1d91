import { z } from '@hono/zod-openapi';
import { input, int32 } from '../../core/http/schema.ts';

const open = z.boolean().describe('Whether it takes new organizations');

/** A database as the API shows it. */
export const databaseSchema = z
  .object({
    databaseName: z.string().openapi({ example: 'DB_1' }).describe('The name of its binding'),
    organizationsCount: int32.describe('Organizations that live in it'),
    sizeBytes: z.int().nullable().describe('As the database reports it; null where it does not respond'),
    limitBytes: z.int().describe('Its size limit'),
    open,
  })
  .openapi('Database');

/** Body of PUT /database/{databaseName}. */
export const databaseUpdateSchema = input(databaseSchema, { open }).openapi('DatabaseUpdate');
