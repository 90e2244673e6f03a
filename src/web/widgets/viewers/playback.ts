import { type RefCallback, type SyntheticEvent, useCallback, useState } from 'react'

/** Why nothing plays: the browser knows no way to, or the bytes stopped coming. */
export type PlaybackFailure = 'unplayable' | 'interrupted'

/** What a player says when it cannot go on; it goes back to null when somebody tries again. */
export function usePlaybackFailure() {
  const [failure, setFailure] = useState<PlaybackFailure | null>(null)
  // A player may give up before it is part of the page, when nobody hears its event yet.
  const ref: RefCallback<HTMLMediaElement> = useCallback((player: HTMLMediaElement | null) => {
    if (player !== null && player.error !== null) setFailure(failureOf(player.error))
  }, [])
  const onError = ({ currentTarget }: SyntheticEvent<HTMLMediaElement>): void => setFailure(failureOf(currentTarget.error))
  return {
    failure,
    /** For the player. */
    watch: { ref, onError },
    retry: (): void => setFailure(null),
  }
}

export type Watch = ReturnType<typeof usePlaybackFailure>['watch']

/** 2 is MEDIA_ERR_NETWORK (HTML §4.8.11.1): something did play. Any other says that this browser can make nothing of the file. */
export function failureOf(error: Pick<MediaError, 'code'> | null): PlaybackFailure {
  return error?.code === 2 ? 'interrupted' : 'unplayable'
}
