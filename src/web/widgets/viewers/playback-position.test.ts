import { expect, it } from 'bun:test'
import type { SyntheticEvent } from 'react'
import { rememberPlayback } from './playback-position.ts'

it('a video resumes at its last position, unless it was near the end', () => {
  expect(openedAgain('/film?k=1', 40)).toBe(40)
  expect(openedAgain('/film?k=2', 97)).toBe(0)
  const ended = rememberPlayback('/film?k=1')
  ended.onEnded()
  expect(started('/film?k=1')).toBe(0)
})

function openedAgain(address: string, leftAt: number): number {
  rememberPlayback(address).onTimeUpdate(eventOf({ currentTime: leftAt, duration: 100 }))
  return started(address)
}

function started(address: string): number {
  const player = { currentTime: 0, duration: 100 }
  rememberPlayback(address).onLoadedMetadata(eventOf(player))
  return player.currentTime
}

/** Of the event only the player is looked at. */
function eventOf(currentTarget: { currentTime: number; duration: number }) {
  return { currentTarget } as SyntheticEvent<HTMLMediaElement>
}
