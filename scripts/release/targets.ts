/** What executables are made for: names of npm for processor and C library, and the package that holds the runtime. */
export const TARGETS = {
  'linux-x64': { cpu: 'x64', libc: 'glibc', runtime: 'bun-linux-x64' },
  'linux-arm64': { cpu: 'arm64', libc: 'glibc', runtime: 'bun-linux-aarch64' },
  'linux-x64-musl': { cpu: 'x64', libc: 'musl', runtime: 'bun-linux-x64-musl' },
  'linux-arm64-musl': { cpu: 'arm64', libc: 'musl', runtime: 'bun-linux-aarch64-musl' },
} as const

/** Names of Debian and of images for npm's names of processors. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const

export type Architecture = (typeof ARCHITECTURES)[keyof typeof ARCHITECTURES]
export type TargetName = keyof typeof TARGETS

/** Throws for a name that is none. */
export function targetNamed(name: string): TargetName {
  const known = Object.keys(TARGETS).find((one) => one === name)
  // Found among the keys.
  if (known !== undefined) return known as TargetName
  throw new Error(`unknown target ${name}; there are ${Object.keys(TARGETS).join(', ')}`)
}
