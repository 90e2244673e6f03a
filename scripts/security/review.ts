import type { Group } from './attack.ts'

/** What people found who attacked this product and had not built it. Their tests are named by the row first: `A19: …`. */
export const REVIEW: Group = {
  title: 'An outside review of this product',
  attacks: [
    {
      id: 'A19',
      did: 'Files in the folder where the server is started were run as code (`bunfig.toml`, `tsconfig.json`), or set its options (`.env`).',
      why: 'Every runtime that is started gets options by which it reads none of them; a configuration file in a served folder is refused unless it is named.',
    },
    {
      id: 'A20',
      did: 'A package shipped x86-64 code as its build for arm64, and none for musl: `.tar.xz` downloads broke off there.',
      why: 'xz is WebAssembly, the same everywhere; a test looks at the machine code of every package and at the platforms that the lock file has.',
    },
  ],
}
