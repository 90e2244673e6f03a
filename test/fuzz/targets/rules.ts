import { compileRules } from '../../../src/server/access/rules.ts'
import { type FilePath, parseFilePath, segmentsOf } from '../../../src/shared/file-path.ts'
import { checkRule, decidingRule, matcherOf } from '../../../src/shared/rules.ts'
import { must, orRefused, type Target, textOf } from '../target.ts'

const MOST_RULES = 12
/** No disk has longer ones. */
const MOST_PATH_CHARS = 4096

/** The first line is a path, each other one a rule: `+` or `-`, `~` for a pattern, and what it says. */
export const target: Target = {
  seeds: [
    '/a/b\n-/a\n+/a/b',
    '/x/.git\n-~/\\.git',
    '/é\n-/e\u0301',
    '/a\n+~(\n-~[^/]*$',
    '/a/../b\n-../b',
    '/a/b\n-a//./b/',
    '/secret\n-~(?i)SECRET',
    '/a\n-/\n+a',
  ],
  words: ['(?i)', '{2,9}', '\\p{L}', '[^/]', '(?:', '.*', '\\Q', '|', '^', '$'],
  most: 200,
  stepsPerByte: 400,
  holds(bytes) {
    const [place = '', ...lines] = textOf(bytes).split('\n')
    const path = orRefused(() => parseFilePath(place))
    if (path === null || path.length > MOST_PATH_CHARS) return
    const rules = lines.slice(0, MOST_RULES).map((line) => {
      const regex = line.charAt(1) === '~'
      const said = line.slice(regex ? 2 : 1)
      return { allow: !line.startsWith('-'), regex, regexp: regex ? { raw: said } : null, path: regex ? '' : said }
    })
    const saved = rules.filter((rule) => checkRule(rule) === null)
    const set = compileRules([], saved, { hideDotfiles: false })
    const deciding = decidingRule(saved, path)
    const allowed = deciding === -1 || saved[deciding]?.allow === true
    must(set.allows(path) === allowed, 'a rule decides otherwise than the test field says')
    must(set.allows(path.normalize('NFD') as FilePath) === allowed, 'another spelling escapes a rule')
    if (set.empty) must(allowed, 'rules that never deny deny')
    if (set.shownBelow(path) === 'all') must(set.allows(`${path}/x` as FilePath) || !allowed, 'something below is denied where nothing is')
    denies(saved, path)
    for (const rule of rules) if (checkRule(rule) !== null && rule.regex) closed(rule, path)
  },
}

/** What lies below a denied node is denied, unless a later rule says otherwise: path rules alone, so that no pattern can. */
function denies(rules: Parameters<typeof compileRules>[1], path: FilePath): void {
  const denying = rules.filter((rule) => !rule.allow && !rule.regex)
  const set = compileRules([], denying, { hideDotfiles: false })
  let denied = false
  let at = ''
  for (const segment of segmentsOf(path)) {
    at += `/${segment}`
    const allows = set.allows(at as FilePath)
    must(!(denied && allows), 'something below a denied folder is shown')
    denied = !allows
    if (denied) must(set.deniedPaths === null || set.deniedPaths.length > 0, 'a denied path is named nowhere')
  }
}

/** What cannot be saved and stands there all the same fails closed, or is a pattern that only is too large. */
function closed(rule: Parameters<typeof matcherOf>[0], path: FilePath): void {
  const matcher = matcherOf(rule)
  must(typeof matcher.matches(path) === 'boolean', 'a rule says nothing')
}
