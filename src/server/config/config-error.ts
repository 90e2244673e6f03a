/** A wrong configuration, told in one line for the person at the terminal. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What a value should have been; whoever knows where it came from puts that in front. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}
