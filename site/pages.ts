/** The pages of the documentation site, in the order of its menu. Each is a file of `docs/` or of the repository, or is made by `scripts/site`. */
export interface Section {
  readonly title: string
  /** Whether the menu shows its pages at once. */
  readonly open: boolean
  readonly pages: readonly { readonly file: string; readonly title: string }[]
}

export const SECTIONS: readonly Section[] = [
  {
    title: 'Get started',
    open: true,
    pages: [
      { file: 'install.md', title: 'Install' },
      { file: 'first-hour.md', title: 'The first hour' },
      { file: 'migrate.md', title: 'Move from File Browser' },
      { file: 'comparison.md', title: 'Compare with others' },
    ],
  },
  {
    title: 'Run it',
    open: true,
    pages: [
      { file: 'reverse-proxies.md', title: 'Reverse proxies and TLS' },
      { file: 'sign-in.md', title: 'Ways to sign in' },
      { file: 'api-tokens.md', title: 'API tokens' },
      { file: 'webdav.md', title: 'WebDAV' },
      { file: 'sync-clients.md', title: 'Sync clients' },
      { file: 'recipes.md', title: 'Recipes' },
      { file: 'backup.md', title: 'Backup and upgrades' },
      { file: 'scaling.md', title: 'PostgreSQL and several servers' },
      { file: 'operating.md', title: 'Features in detail' },
      { file: 'reliability.md', title: 'Crashes and full disks' },
      { file: 'troubleshooting.md', title: 'Troubleshooting' },
    ],
  },
  {
    title: 'Reference',
    open: true,
    pages: [
      { file: 'configuration.md', title: 'Settings' },
      { file: 'command-line.md', title: 'Command line' },
      { file: 'api/index.md', title: 'API' },
      { file: 'programs.md', title: 'Use it from programs' },
      { file: 'browsers.md', title: 'Browsers' },
      { file: 'security.md', title: 'Security' },
      { file: 'changes.md', title: 'Changes' },
      { file: 'roadmap.md', title: 'What is missing' },
    ],
  },
  {
    title: 'For developers',
    open: false,
    pages: [
      { file: 'contributing.md', title: 'Contributing' },
      { file: 'architecture.md', title: 'Architecture' },
      { file: 'glossary.md', title: 'Glossary' },
      { file: 'decisions/index.md', title: 'Decisions' },
      { file: 'dependencies.md', title: 'Dependencies' },
      { file: 'performance.md', title: 'Measurements' },
    ],
  },
]

/** Pages from outside of `docs/`, and those whose name the site changes. */
export const FROM: Readonly<Record<string, string>> = {
  'changes.md': 'CHANGES.md',
  'contributing.md': 'CONTRIBUTING.md',
  'decisions/index.md': 'docs/decisions/README.md',
}
