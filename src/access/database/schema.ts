import { z } from '@hono/zod-openapi';
import { dateTime, input, int32 } from '../../core/http/schema.ts';

const open = z.boolean().describe('Whether the database takes new organizations');

/** A database as the API shows it. */
export const databaseSchema = z
  .object({
    databaseName: z.string().openapi({ example: 'DB_1' }).describe('Name of the database binding'),
    organizationsCount: int32.describe('Number of organizations in the database'),
    sizeBytes: z.int().nullable().describe('Size at `measureDate`; null before the first measurement'),
    measureDate: dateTime.nullable().describe('When the database was last measured; null if never'),
    limitBytes: z.int().describe('Size limit of the database'),
    open,
    missingMigrations: z
      .array(z.string())
      .nullable()
      .describe(
        'Migrations of this version that were not applied at `measureDate`; null before the first ' +
          'measurement, or if the database has no list of migrations',
      ),
  })
  .openapi('Database');

/** Body of PUT /database/{databaseName}. */
export const databaseUpdateSchema = input(databaseSchema, { open }).openapi('DatabaseUpdate');
