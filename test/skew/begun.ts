/** Whether the rollout has begun. Until then, all parts are of the version of the edge. */
export const rollout = { begun: false };
