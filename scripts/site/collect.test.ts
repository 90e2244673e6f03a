import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { collectPages, pagesFromFiles, withSiteLinks } from './collect.ts'

const folder = mkdtempSync(join(tmpdir(), 'satchel-site-'))
const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8')
beforeAll(() => collectPages(folder))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the documentation site', () => {
  it('has every page of its menu, the decisions, and a page for each area of the API', () => {
    expect(pagesFromFiles().length).toBeGreaterThan(60)
    expect(pagesFromFiles().filter((page) => !existsSync(join(folder, page)))).toEqual([])
    expect(textOf('api/links.md')).toContain('## Create a link {#shares_create}')
  })

  it('has links between pages that lead somewhere', () => {
    const pages = ['index.md', ...pagesFromFiles(), 'api/index.md', 'api/links.md', 'api/schemas.md']
    const dead = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\((\.[^)#\s]+\.md)/g)].flatMap(([, link = '']) =>
        existsSync(join(folder, page, '..', link)) ? [] : [`${page}: ${link}`],
      ),
    )
    expect(dead).toEqual([])
  })

  it('turns links to files of the repository into links to pages, or into words where there is no page', () => {
    const pages = new Map([
      ['docs/backup.md', 'backup.md'],
      ['docs/decisions/003-reserved-name.md', 'decisions/003-reserved-name.md'],
      ['CHANGES.md', 'changes.md'],
    ])
    const page = 'decisions/003-reserved-name.md'
    expect(withSiteLinks('[a](../backup.md#restore) [b](../../CHANGES.md) [c](../../package.json)', page, pages)).toBe(
      '[a](../backup.md#restore) [b](../changes.md) c',
    )
    expect(withSiteLinks('see `docs/backup.md`', page, pages)).toBe('see [Backup and upgrades](../backup.md)')
    expect(withSiteLinks('```\n[a](../backup.md)\n```', page, pages)).toBe('```\n[a](../backup.md)\n```')
  })
})
