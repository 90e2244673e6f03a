/** Begins the message of each test that needs the program's own process, for example to set its clock. `scripts/test-executable.ts` counts them. */
export const NOT_OVER_HTTP = 'not over HTTP: '
