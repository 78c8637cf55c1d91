/** The text of wrangler.toml with a third environment: the sections of staging under another name. */
export function withEnvironment(text: string, name: string): string {
  const staging = /^\[env\.staging\]$.*?(?=^# --- production)/ms.exec(text);
  if (!staging) throw new Error('wrangler.toml has no section of staging before the one of production');
  return `${text}\n${staging[0].replaceAll('staging', name)}`;
}
