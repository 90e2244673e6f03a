import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { ArchiveFormat } from '../../../../shared/archive-format.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { TransferConflict } from '../../../data/transfer-conflicts.ts'
import { inTime } from '../../../data/chunks.ts'
import { registerPrompts } from '../../../data/prompts.ts'
import type { ConflictAnswer } from '../../../data/uploads/send.ts'
import type { InfoSubject } from './details.tsx'
import type { Content } from './use-content.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    'new-folder': { props: { taken: (name: string) => boolean }; answer: string }
    'new-file': { props: { taken: (name: string) => boolean }; answer: string }
    rename: { props: { name: string; isDir: boolean; taken: (name: string) => boolean }; answer: string }
    /** `permanent`: without the trash. `isFull`: because the disk has no room for it. */
    delete: {
      props: { paths: readonly FilePath[]; content: Content | null; permanent: boolean; isFull?: boolean }
      answer: { permanent: boolean }
    }
    /** Answers with the destination folder. */
    copy: { props: { sources: readonly FilePath[]; start: FilePath }; answer: FilePath }
    move: { props: { sources: readonly FilePath[]; start: FilePath }; answer: FilePath }
    extract: { props: { sources: readonly FilePath[]; start: FilePath }; answer: FilePath }
    compress: {
      props: { paths: readonly FilePath[]; name: string; taken: (name: string) => boolean }
      answer: { name: string; format: ArchiveFormat }
    }
    /** Answers with a folder whose disk usage to show, or with an address to go to. */
    info: { props: { subject: InfoSubject }; answer: { readonly usage: FilePath } | { readonly url: string } }
    /** Manages the links of an entry. */
    share: { props: { path: FilePath; isDir: boolean }; answer: never }
    /** Asks about each source whose name is taken; if dismissed, nothing is transferred. */
    'transfer-conflict': {
      props: { conflicts: readonly TransferConflict[] }
      answer: ReadonlyMap<FilePath, ConflictAnswer>
    }
  }
}

const nameDialogs = () => inTime(import('./name-dialog.tsx'))
const transferDialog = () => inTime(import('./transfer-dialog.tsx'))

/** Registers the dialogs of the files area, which are loaded on first use. */
export function registerFilePrompts(): void {
  registerPrompts({
    'new-folder': lazyPart(async () => (await nameDialogs()).NewFolderDialog),
    'new-file': lazyPart(async () => (await nameDialogs()).NewFileDialog),
    rename: lazyPart(async () => (await nameDialogs()).RenameDialog),
    delete: lazyPart(async () => (await inTime(import('./delete-dialog.tsx'))).DeleteDialog),
    copy: lazyPart(async () => (await transferDialog()).CopyDialog),
    move: lazyPart(async () => (await transferDialog()).MoveDialog),
    extract: lazyPart(async () => (await transferDialog()).ExtractDialog),
    compress: lazyPart(async () => (await inTime(import('./compress-dialog.tsx'))).CompressDialog),
    share: lazyPart(async () => (await inTime(import('./share-dialog.tsx'))).ShareDialog),
    info: lazyPart(async () => (await inTime(import('./details.tsx'))).InfoDialog),
    'transfer-conflict': lazyPart(async () => (await inTime(import('./transfer-conflict-dialog.tsx'))).TransferConflictDialog),
  })
}
