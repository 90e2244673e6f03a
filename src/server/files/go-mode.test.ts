import { expect, it } from 'bun:test'
import { goMode } from './go-mode.ts'

it.each([
  ['a folder', 0o40755, 2147484141],
  ['a file', 0o100644, 420],
  ['a link', 0o120777, 2 ** 27 + 0o777],
  ['a block device', 0o60660, 2 ** 26 + 0o660],
  ['a character device', 0o20666, 2 ** 26 + 2 ** 21 + 0o666],
  ['a pipe', 0o10600, 2 ** 25 + 0o600],
  ['a socket', 0o140755, 2 ** 24 + 0o755],
  ['a setuid, setgid, sticky file', 0o107755, 2 ** 23 + 2 ** 22 + 2 ** 20 + 0o755],
  ['nothing Go knows', 0o644, 2 ** 19 + 0o644],
])('the mode of %s equals Go’s FileMode', (_, posix, go) => {
  expect(goMode(posix)).toBe(go)
})
