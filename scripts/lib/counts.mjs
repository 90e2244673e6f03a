/** What a runner wrote down, as `{ passed, failed }`; null when it wrote nothing that can be read. A skipped test counts as neither. */

/** From the JUnit file of `bun test`. */
export function countsOfBun(xml) {
  const suites = /<testsuites\b([^>]*)>/.exec(xml ?? '')?.[1]
  if (suites === undefined) return null
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suites)?.[1] ?? 0)
  const failed = number('failures') + number('errors')
  return { passed: number('tests') - failed - number('skipped'), failed }
}

/** From the JSON file of Playwright; a walk that passed at its second try has passed. */
export function countsOfPlaywright(json) {
  try {
    const { stats, errors } = JSON.parse(json ?? '')
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
  } catch {
    return null
  }
}
