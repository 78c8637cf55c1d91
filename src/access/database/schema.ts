import { z } from '@hono/zod-openapi';
import { input, int32 } from '../../core/http/schema.ts';

const open = z.boolean().describe('Whether the database takes new organizations');

/** A database as the API shows it. */
export const databaseSchema = z
  .object({
    databaseName: z.string().openapi({ example: 'DB_1' }).describe('Name of the database binding'),
    organizationsCount: int32.describe('Number of organizations in the database'),
    sizeBytes: z.int().nullable().describe('Size that the database reports; null if it does not respond'),
    limitBytes: z.int().describe('Size limit of the database'),
    open,
    missingMigrations: z
      .array(z.string())
      .nullable()
      .describe(
        'Migrations of this version that are not applied; null if the database does not respond or ' +
          'has no list of migrations',
      ),
  })
  .openapi('Database');

/** Body of PUT /database/{databaseName}. */
export const databaseUpdateSchema = input(databaseSchema, { open }).openapi('DatabaseUpdate');
