/** An invalid configuration, described in one line for the terminal. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What a value should have been; the caller adds where it came from. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}
