/**
 * What a runner wrote down, as `{ passed, failed, failures }`, the last in words; null when it wrote nothing that can be read.
 * A skipped test counts as neither.
 */

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const COLOURS = /\u001b\[[\d;]*m/g

/** From the JUnit file of `bun test`. */
export function countsOfBun(xml) {
  const suites = /<testsuites\b([^>]*)>/.exec(xml ?? '')?.[1]
  if (suites === undefined) return null
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suites)?.[1] ?? 0)
  const failed = number('failures') + number('errors')
  return { passed: number('tests') - failed - number('skipped'), failed, failures: failuresOfBun(xml) }
}

/** From the JSON file of Playwright; a walk that passed at its second try has passed. */
export function countsOfPlaywright(json) {
  try {
    const { stats, errors, suites } = JSON.parse(json ?? '')
    const failures = [...suites.flatMap(failuresBelow), ...errors.map(({ message }) => message)]
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, failures }
  } catch {
    return null
  }
}

function failuresOfBun(xml) {
  return [...xml.matchAll(/<testcase ([^>]*[^/])>\s*<failure ([^>]*)>([^<]*)/g)].map(([, of, why, words]) => {
    const test = (name) => attribute(of, name)
    const where = [`${test('file')}:${test('line')}`, test('classname'), test('name')].filter((part) => part !== '').join(' › ')
    return `${where}\n${plain(words).trim() || attribute(why, 'message')}`
  })
}

function attribute(of, name) {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(of)?.[1] ?? '')
}

function plain(text) {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) => (code ? String.fromCodePoint(code) : (ENTITIES[name] ?? whole)))
}

/** Walks that failed, and those that passed only when they were tried again: nobody should have to search for either. */
function failuresBelow({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, projectName, results }) => {
        const why = results.find(({ error }) => error !== undefined)?.error.message ?? ''
        return `${status === 'flaky' ? 'at the second try: ' : ''}[${projectName}] ${file}:${line} › ${title}\n${why.replace(COLOURS, '')}`
      }),
  )
  return [...own, ...suites.flatMap(failuresBelow)]
}
