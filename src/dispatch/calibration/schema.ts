import { z } from '@hono/zod-openapi';
import { common } from '../../core/http/schema.ts';
import { CALIBRATION_TYPES } from './rules.ts';

/** Maximum size of a calibration file, in bytes. */
export const CALIBRATION_BYTES_MAXIMUM = 25 * 1024 * 1024;

/** The name of a camera. */
export const hardwareId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'A hardware id has 1 to 128 of the characters A-Z a-z 0-9 . _ : -')
  .openapi({ example: 'cam-07:left' });

/** Path parameters of a calibration file. */
export const calibrationParams = z.object({ hardwareId, type: z.enum(CALIBRATION_TYPES) });

/** A calibration file: any JSON object or array, kept byte for byte. */
export const calibrationFileSchema = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .openapi('CalibrationFile', {
    description: 'Any JSON object or array in UTF-8, up to 25 MiB and 64 levels, returned byte for byte',
  });

/** A calibration file as the list shows it. */
export const listedCalibrationSchema = z
  .object({
    ...common,
    hardwareId: z.string(),
    calibrationType: z.enum(CALIBRATION_TYPES),
    sizeBytes: z.int().min(2),
    eTag: z.string().describe('The same as the `ETag` of the download, with its quotes'),
  })
  .openapi('ListedCalibration');

/** A calibration file in the response to its upload. */
export const calibrationSchema = listedCalibrationSchema
  .extend({
    type: z.enum(CALIBRATION_TYPES).describe('The same as `calibrationType`'),
    sha256: z.string().describe('SHA-256 of the bytes, hexadecimal; in double quotes it is the ETag'),
  })
  .openapi('Calibration');
