import type { Receivers } from '../receivers.ts';
import type { Service } from '../service.ts';
import { closeTruck, leaveOver, loadTruck } from './day-dock.ts';
import { issue, provision, tidyUp } from './day-office.ts';
import { comeAndGo, operators } from './day-operator.ts';
import { failedCoupling, keepPayloads } from './day-payloads.ts';
import { couplePallets, planTrucks } from './day-plan.ts';
import { Recorder } from './recorder.ts';

/** Calls every operation during one dispatch day, and returns the text of the examples. */
export async function recordDay(
  service: Service,
  receivers: Receivers,
): Promise<{ operations: string; webhooks: string }> {
  const day = await Recorder.of(service);
  const hooks = receivers.url('/hooks');
  day.rename(hooks, 'https://wms.example.com/hooks');
  day.use('operatorKey', 'local-operator-key');
  const organization = await provision(day);
  const office = await issue(day, organization, hooks);
  const codes = await couplePallets(day);
  await planTrucks(day);
  await loadTruck(day, codes);
  await closeTruck(day, codes);
  await leaveOver(day, codes);
  await keepPayloads(day, receivers);
  await tidyUp(day, organization, office);
  await failedCoupling(day);
  await operators(day);
  await comeAndGo(day);
  return day.texts();
}
