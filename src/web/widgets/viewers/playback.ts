import { type RefCallback, type SyntheticEvent, useCallback, useState } from 'react'

/** Unsupported format, or the connection dropped. */
export type PlaybackFailure = 'unplayable' | 'interrupted'

/** Playback error of a media element; null again after a retry. */
export function usePlaybackFailure() {
  const [failure, setFailure] = useState<PlaybackFailure | null>(null)
  // The element may fail before React attaches its error handler.
  const ref: RefCallback<HTMLMediaElement> = useCallback((player: HTMLMediaElement | null) => {
    if (player !== null && player.error !== null) setFailure(failureOf(player.error))
  }, [])
  const onError = ({ currentTarget }: SyntheticEvent<HTMLMediaElement>): void => setFailure(failureOf(currentTarget.error))
  return {
    failure,
    /** Props for the media element. */
    watch: { ref, onError },
    retry: (): void => setFailure(null),
  }
}

export type Watch = ReturnType<typeof usePlaybackFailure>['watch']

/** 2 is MEDIA_ERR_NETWORK (HTML §4.8.11.1); all others mean that the format is unsupported. */
export function failureOf(error: Pick<MediaError, 'code'> | null): PlaybackFailure {
  return error?.code === 2 ? 'interrupted' : 'unplayable'
}
