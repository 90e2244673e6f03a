import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, isWithin } from '../../shared/file-path.ts'
import { lastWordOf, type Matcher, matcherOf } from '../../shared/rules.ts'

/** `hidden` is a dotfile of somebody who does not want to see them; `denied` is a rule's word, and the stronger of the two. */
export type Verdict = 'shown' | 'hidden' | 'denied'

/** All of it; all that has no dotfile on its way; or it depends on what there is. */
export type ShownBelow = 'all' | 'without-dotfiles' | 'unknown'

/**
 * Rules made ready to be asked: global ones first, the user's own after; the last match decides. A path rule
 * matches its node and everything below, and so does what a pattern denies: denying a folder denies its content (A17). A later rule may allow a
 * part of it again (`deny /a`, `allow /a/b`), which is then reached by its own address, though `/a` and its listing stay hidden. Paths and patterns are compared in
 * Unicode's composed form, so that no other spelling of the same text escapes a rule (invariant I3).
 */
export interface RuleSet {
  /** True where no rule and no hidden name can ever deny, so that long listings need not ask. */
  readonly empty: boolean
  /** True where no rule can ever deny; hidden names still may hide. */
  readonly neverDenies: boolean
  /**
   * Every path that a rule names and that is denied: with what lies below them that is all. Null where that cannot be told without a look at
   * the tree, because a pattern may deny anything, and a path in other than plain letters any spelling of itself.
   */
  readonly deniedPaths: readonly string[] | null
  verdict(path: FilePath): Verdict
  /** Whether the verdict is `shown`. */
  allows(path: FilePath): boolean
  /** Whether a rule names a place below it, there or not, that is denied. Of patterns nobody can say so without a look at the tree. */
  deniesBelow(path: FilePath): boolean
  /** What is shown of all that lies below a shown node, as far as that can be told without a look at the tree. */
  shownBelow(path: FilePath): ShownBelow
}

/** @param options.hideDotfiles hides every node that has a name with a leading dot anywhere in its path */
export function compileRules(global: readonly Rule[], own: readonly Rule[], { hideDotfiles }: { hideDotfiles: boolean }): RuleSet {
  const matchers = [...global, ...own].map(matcherOf)
  const neverDenies = matchers.every(({ allow }) => allow)
  const lastWord = lastWordOf(matchers)

  function verdict(path: FilePath): Verdict {
    if (!neverDenies) {
      const composed = path.normalize('NFC')
      if (matchers[lastWord(composed)]?.allow === false) return 'denied'
    }
    return hideDotfiles && path.includes('/.') ? 'hidden' : 'shown'
  }

  const empty = neverDenies && !hideDotfiles
  const namedPaths = matchers.flatMap(({ allow, path }) => (allow || path === null || path === '' ? [] : [path as FilePath]))
  const deniedPaths = pathsOf(matchers.filter(({ allow }) => !allow))
  return {
    empty,
    neverDenies,
    deniedPaths,
    verdict,
    allows: (path) => verdict(path) === 'shown',
    deniesBelow(path) {
      const composed = path.normalize('NFC')
      return namedPaths.some((named) => named !== composed && isWithin(named, composed as FilePath) && verdict(named) === 'denied')
    },
    shownBelow(path) {
      if (empty) return 'all'
      const composed = path.normalize('NFC') as FilePath
      // Also what is denied around it: a pattern may allow the node itself again and nothing below.
      const meets = (denied: string): boolean => isWithin(denied as FilePath, composed) || isWithin(composed, denied as FilePath)
      if (deniedPaths === null || deniedPaths.some(meets)) return 'unknown'
      return hideDotfiles ? 'without-dotfiles' : 'all'
    },
  }
}

function pathsOf(denying: readonly Matcher[]): string[] | null {
  const paths = denying.flatMap(({ path }) => (path === '' ? [] : [path]))
  const plain = paths.filter((path) => path !== null && /^[\x20-\x7e]*$/.test(path))
  return plain.length === paths.length ? plain.filter((path) => path !== null) : null
}
