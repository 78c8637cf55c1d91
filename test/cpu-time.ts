/** The CPU time of this thread in milliseconds. Unlike the time of a clock, it does not grow while others use the machine. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
