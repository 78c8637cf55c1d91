import { restoredWorld } from '../contract/restored-world.ts';
import { rollout } from './begun.ts';

// The world is made before the rollout. It has archived loads, which tests archive with the code of the edge: an object of
// another version would find that the copy is not the one that it would make. Deployed, an object archives with its own code.
rollout.begun = false;
await restoredWorld();
rollout.begun = true;
