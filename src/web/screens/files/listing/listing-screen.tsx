import { Plus, Upload } from 'lucide-react'
import { type DragEvent, type MouseEvent, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { OwnFields, Sorting } from '../../../../shared/contract/users.ts'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import { cutNames, useClipboard } from '../../../data/clipboard.ts'
import { offerCommands } from '../../../data/commands.ts'
import { entryOf, type Listing } from '../../../data/listing.ts'
import { nextSorting, prepareSorting, sortListing } from '../../../data/listing-order.ts'
import { saveOwn, useUser } from '../../../data/session.ts'
import { uploadDropped } from '../../../data/uploads/start.ts'
import { t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { ContextMenu, prepareContextMenu } from '../../../ui/context-menu.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuAnchor } from '../../../ui/menu-entry.ts'
import { useMedia, usePhone } from '../../../ui/use-media.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { may } from '../actions.ts'
import { startDrag } from '../drag.ts'
import { loadDeeds } from '../load-deeds.ts'
import { type ActionPort, ENTRY_MENU, FOLDER_MENU, menuEntries } from '../menu-entries.tsx'
import type { Selection } from '../../../data/selection.ts'
import { report } from '../report.ts'
import { UploadInputs } from '../upload-inputs.tsx'
import { useDrops } from '../use-drops.ts'
import { Dock } from './dock.tsx'
import { EmptyFolder } from './empty-folder.tsx'
import { Grid, type GridHandle } from './grid.tsx'
import { ListingHeader } from './listing-header.tsx'
import styles from './listing-screen.module.css'
import { useListingActions } from './use-listing-actions.ts'
import { useListingKeys } from './use-listing-keys.ts'
import { useLive } from './use-live.ts'
import { usePalette } from './use-palette.ts'
import { useReveal, useSelection, useVisit, type Visit } from './use-selection.ts'

/** An offer that does not arrive is no offer. */
const TapOffer = lazyPart(async () => (await import('./tap-offer.tsx').catch(() => null))?.TapOffer ?? (() => null))

/** One folder: what is in it, and everything one can do there. Mounted anew for each folder. */
export function ListingScreen({ listing: served, visit }: { listing: Listing; visit: Visit }) {
  const user = useUser()
  const phone = usePhone()
  const mouse = useMedia('(pointer: fine)')
  const held = useClipboard((state) => state.held)
  const [menuAt, setMenuAt] = useState<MenuAnchor | null>(null)
  const [folderMenuAt, setFolderMenuAt] = useState<MenuAnchor | null>(null)
  const screen = useRef<HTMLElement>(null)
  const grid = useRef<GridHandle>(null)
  const pickers = { files: useRef<HTMLInputElement>(null), folder: useRef<HTMLInputElement>(null) }

  const { by, asc } = user.sorting
  const listing = useMemo(() => sortListing(served, { by, asc }), [served, by, asc])
  useEffect(() => prepareSorting(served), [served])
  const around = useSelection(listing, grid)
  const { selection } = around
  const actions = useListingActions(listing, around, pickers)
  const cut = useMemo(() => cutNames(held, listing.path), [held, listing.path])
  useVisit(listing, grid, selection, visit)
  useLive(listing.path)
  // Every change of route begins with nothing selected, even to the same folder (spec §4).
  useEffect(() => selection.clear(), [selection, visit.key])
  useReveal(around.show, visit)
  useListingKeys({ listing, selection, actions, grid, mosaic: user.viewMode === 'mosaic', onMenu: setMenuAt })
  useFrameCommands(actions.run, may(user.perm, 'create'))
  usePalette(listing, selection, actions)

  const uploadTo = useDrops(screen, {
    perm: user.perm,
    onDrop(offer, target, transfer) {
      if (offer.kind === 'upload') void uploadDropped(transfer, target).catch(report)
      else void actions.bring(offer.kind, offer.sources, target).catch(report)
    },
  })
  const drag = (event: DragEvent, index: number) => {
    if (!selection.has(index)) selection.only(index)
    const sources = [...selection.chosen()].map((one) => entryOf(listing, one).path)
    const label =
      sources.length === 1
        ? displayName(listing.names[index] ?? '')
        : t('files.selected', { count: sources.length, number: sources.length })
    startDrag(event.dataTransfer, sources, label)
  }
  const openFolderMenu = (event: MouseEvent) => {
    // An entry has taken it, or it is the browser's.
    if (event.defaultPrevented || !mouse || !isEmptySpace(event.target)) return
    event.preventDefault()
    selection.clear()
    setFolderMenuAt({ x: event.clientX, y: event.clientY })
  }
  const sort = (column: Sorting['by']) => void save({ sorting: nextSorting(user.sorting, column) })
  const port = { offered: actions.offered, onAction: actions.run }
  const folderName = listing.path === ROOT ? t('files.root') : displayName(nameOf(listing.path))

  return (
    <section
      ref={screen}
      className={styles.screen}
      aria-label={folderName}
      data-drop={listing.path}
      data-dropping={uploadTo === listing.path ? '' : undefined}
      data-part="listing"
      onPointerMove={prepareOnce}
      onContextMenu={openFolderMenu}
    >
      <ListingHeader
        {...port}
        listing={listing}
        selection={selection}
        view={user.viewMode}
        phone={phone}
        onView={(viewMode) => void save({ viewMode })}
        onSort={sort}
      />
      {!mouse && !user.singleClick && (
        <Suspense>
          <TapOffer />
        </Suspense>
      )}
      {listing.names.length === 0 ? (
        <EmptyFolder {...port} />
      ) : (
        <Grid
          ref={grid}
          listing={listing}
          selection={selection}
          view={user.viewMode}
          phone={phone}
          label={folderName}
          cut={cut}
          canDrag={mouse && may(user.perm, 'rename')}
          singleClick={user.singleClick}
          onOpen={actions.open}
          onMenu={setMenuAt}
          onSort={sort}
          onDragStart={drag}
        />
      )}
      <Dock {...port} listing={listing} selection={selection} />
      {phone && actions.offered('new-folder') && <NewButton {...port} selection={selection} />}
      <ContextMenu
        at={menuAt}
        label={t('files.menu')}
        entries={menuAt === null ? [] : menuEntries(ENTRY_MENU, port)}
        onClose={() => {
          setMenuAt(null)
          if (selection.focus !== null) grid.current?.focusOn(selection.focus)
        }}
      />
      <ContextMenu
        at={folderMenuAt}
        label={t('files.menu')}
        entries={folderMenuAt === null ? [] : menuEntries(FOLDER_MENU, port)}
        onClose={() => setFolderMenuAt(null)}
      />
      {uploadTo !== null && (
        <p className={styles.pill} aria-hidden>
          <Upload size={18} strokeWidth={1.75} />
          <span>{t('files.drop', { name: uploadTo === ROOT ? t('files.root') : displayName(nameOf(uploadTo)) })}</span>
        </p>
      )}
      <UploadInputs pickers={pickers} target={listing.path} />
    </section>
  )
}

function isEmptySpace(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [data-part=dock], [data-item]') === null
}

/** Phones have no rail: what is new starts from the corner. */
function NewButton({ selection, ...port }: ActionPort & { selection: Selection }) {
  // The dock takes its place.
  const docked = useSyncExternalStore(selection.subscribe, () => selection.count > 0 || selection.multiple)
  if (docked) return null
  return (
    <Menu
      label={t('sidebar.new')}
      align="end"
      entries={() => menuEntries([['new-folder', 'new-file'], ['upload-files', 'upload-folder'], ['paste']], port)}
      trigger={(props) => (
        <IconButton
          {...props}
          label={t('sidebar.new')}
          variant="primary"
          icon={<Plus size={26} />}
          className={styles.fab}
          data-part="new"
        />
      )}
    />
  )
}

/** The rail and the header ask for these. */
function useFrameCommands(run: (action: 'new-folder' | 'new-file' | 'upload-files' | 'upload-folder') => void, mayCreate: boolean): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!mayCreate) return
    return offerCommands({
      'new-folder': () => latest.current('new-folder'),
      'new-file': () => latest.current('new-file'),
      'upload-files': () => latest.current('upload-files'),
      'upload-folder': () => latest.current('upload-folder'),
    })
  }, [mayCreate])
}

let prepared = false

function prepareOnce(): void {
  if (prepared) return
  prepared = true
  prepareContextMenu()
  void loadDeeds().catch(() => undefined)
}

async function save(fields: OwnFields): Promise<void> {
  await saveOwn(fields).catch(report)
}
