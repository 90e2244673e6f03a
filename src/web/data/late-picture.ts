/** Asked for so often at most; after that it is as if there were none. */
const MOST_TRIES = 20
/** Where nobody said when to come again, as a proxy may not. */
const UNSAID_SECONDS = 1

/**
 * Whether a picture that did not come is there by now. Where the server had too many others to serve (429), asks again when it said so, and waits
 * for it; whatever else it answers is no picture.
 */
export async function comesLate(address: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES && !signal.aborted; tries++) {
    const answer = await fetch(address, { method: 'HEAD', signal }).catch(() => null)
    if (answer?.status !== 429) return answer?.ok === true
    await pause(Number(answer.headers.get('retry-after') ?? UNSAID_SECONDS), signal)
  }
  return false
}

/** A little longer than was said, and not everybody at the same moment. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, seconds * 1000 * (1 + Math.random()))
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
