import { expect, it } from 'vitest';
import { operations } from './document.ts';
import { send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { stateOf } from './state.ts';

it('restoring a used world brings back every stored row', async () => {
  const world = await restoredWorld();
  const before = await stateOf(world.tenant);
  for (const operated of operations) await send(operated, world);
  expect(await stateOf(world.tenant)).not.toEqual(before);
  const { tenant } = await restoredWorld();
  expect(await stateOf(tenant)).toEqual(before);
});
