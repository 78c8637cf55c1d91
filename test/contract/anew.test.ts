import { expect, it } from 'vitest';
import { worldAnew } from './anew.ts';
import { operations } from './document.ts';
import { send } from './request.ts';
import { stateOf } from './state.ts';

it('restoring a used world brings back every stored row', async () => {
  const world = await worldAnew();
  const before = await stateOf(world.tenant);
  for (const operated of operations) await send(operated, world);
  expect(await stateOf(world.tenant)).not.toEqual(before);
  const { tenant } = await worldAnew();
  expect(await stateOf(tenant)).toEqual(before);
});
