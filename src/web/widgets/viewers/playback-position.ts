import type { SyntheticEvent } from 'react'

/** Playback positions in seconds, for the lifetime of the page. */
const positions = new Map<string, number>()

/** Positions this close to the end restart from the beginning. */
const END_SECONDS = 5

/** Resumes playback at the last position. @param address of the media, including its version */
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
