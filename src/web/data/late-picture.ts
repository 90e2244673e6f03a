/** Maximum number of attempts. */
const MOST_TRIES = 20
/** Default when there is no Retry-After header. */
const UNSAID_SECONDS = 1

/**
 * Retries a thumbnail while the server responds with 429, as its Retry-After says.
 * @returns whether it is available now; any other response means that there is none
 */
export async function retryThumbnail(address: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES && !signal.aborted; tries++) {
    const answer = await fetch(address, { method: 'HEAD', signal }).catch(() => null)
    if (answer?.status !== 429) return answer?.ok === true
    await pause(Number(answer.headers.get('retry-after') ?? UNSAID_SECONDS), signal)
  }
  return false
}

/** With jitter. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, seconds * 1000 * (1 + Math.random()))
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
