/** Whether a URL is one of those where supervisors ask, which are answered whatever the load is. */
export function isHealthPath(url: string): boolean {
  return /^\/health(?:[/?]|$)/.test(url);
}
