import type { SyntheticEvent } from 'react'

/** How far each film and sound of this visit has been played, in seconds; a reload forgets it. */
const positions = new Map<string, number>()

/** Nobody wants to go on from the last blink. */
const END_SECONDS = 5

/**
 * For a player: it goes on where it was left, should it be opened again during this visit.
 * @param address of what it plays, which names the version
 */
export function rememberPlayback(address: string) {
  return {
    onLoadedMetadata: ({ currentTarget: player }: SyntheticEvent<HTMLMediaElement>) => {
      const place = positions.get(address) ?? 0
      if (place > 0 && place < player.duration - END_SECONDS) player.currentTime = place
    },
    onTimeUpdate: ({ currentTarget: player }: SyntheticEvent<HTMLMediaElement>) => void positions.set(address, player.currentTime),
    onEnded: () => void positions.delete(address),
  }
}
