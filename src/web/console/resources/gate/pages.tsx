import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { servesDevices } from './devices.tsx';
import { servesGates } from './gates.tsx';

export function sitePages(app: Hono<AppEnv>): void {
  servesGates(app);
  servesDevices(app);
}
