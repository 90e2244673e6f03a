import { expect, it } from 'bun:test'
import { wasKilled } from './sandbox.ts'

it.each([
  ['exited', 137, true],
  ['exited', 152, true],
  ['exited', null, true],
  ['too-much-memory', null, true],
  ['too-long', null, true],
  ['exited', 0, false],
  ['exited', 1, false],
  ['exited', 183, false],
  ['aborted', null, false],
] as const)('a program that %s with the code %j was killed: %j', (ended, exitCode, killed) => {
  expect(wasKilled({ ended, exitCode })).toBe(killed)
})
