import { permissionsFor, permissionsIn, permissionsToDrop } from '../../../data/rights.ts'
import { Upload } from 'lucide-react'
import { type DragEvent, type MouseEvent, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { OwnFields, Sorting } from '../../../../shared/contract/users.ts'
import { cutNames, useClipboard } from '../../../data/clipboard.ts'
import { offerCommands } from '../../../data/commands.ts'
import { entryOf, isComplete, type Listing } from '../../../data/listing.ts'
import { nextSorting } from '../../../data/listing-order.ts'
import { useStars } from '../../../data/favourites.ts'
import { saveProfile, useUser } from '../../../data/session.ts'
import { fileAddress } from '../../../data/start-download.ts'
import { chooseView, useView } from '../../../data/view.ts'
import { uploadDropped } from '../../../data/uploads/start.ts'
import { whenIdle } from '../../../data/when-idle.ts'
import { t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { ContextMenu, prepareContextMenu } from '../../../ui/context-menu.tsx'
import type { MenuAnchor } from '../../../ui/menu-entry.ts'
import { useMedia, usePhone } from '../../../ui/use-media.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { useFolderName } from '../folder-name.ts'
import { may } from '../action-rules.ts'
import { setDownloadUrl, startDrag } from '../drag.ts'
import { ENTRY_MENU, FOLDER_MENU, menuEntries } from '../menu-entries.ts'
import { report } from '../report.ts'
import { UploadInputs } from '../upload-inputs.tsx'
import { useDrops } from '../use-drops.ts'
import { EmptyFolder } from './empty-folder.tsx'
import { Grid, type GridHandle } from './grid.tsx'
import { ListingHeader } from './listing-header.tsx'
import styles from './listing-screen.module.css'
import { useListingActions } from './use-listing-actions.ts'
import { useListingKeys } from './use-listing-keys.ts'
import { FilterBar, NothingMatches } from './filter-bar.tsx'
import { NewButton } from './new-button.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useFilter } from './use-filter.ts'
import { useFolderSizes } from './use-folder-sizes.ts'
import { useFolderEvents } from '../../../data/use-folder-events.ts'
import { usePaste } from './use-paste.ts'
import { usePalette } from './use-palette.ts'
import { useSorted } from './use-sorted.ts'
import { useReveal, useSelection, useRestoreVisit, type Visit } from './use-selection.ts'

// A folder is there without them, also if the server cannot be reached just then.
const DetailsPane = lazyPart(
  async () => (await import('./details-pane.tsx')).DetailsPane,
  () => whenIdle(100),
)
const ListingPrint = lazyPart(
  async () => (await import('./listing-print.tsx')).ListingPrint,
  () => whenIdle(2000),
)

/** A folder with all its actions. Remounted for each folder. */
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
  const sized = useFolderSizes(served)
  const sorted = useSorted(sized, { by, asc })
  const view = useView(({ gallery }) => gallery) ? 'gallery' : user.viewMode
  const filter = useFilter(sorted, visit)
  const { listing } = filter
  const around = useSelection(listing, grid, filter.close)
  const { selection } = around
  const stars = useStars()
  const wide = useMedia('(width >= 1024px)')
  const detailed = useView(({ details }) => details) && wide
  const pane = wide ? { open: detailed, show: (open: boolean) => chooseView({ details: open }) } : null
  const actions = useListingActions(listing, around, { pickers, filter, stars, pane })
  const cut = useMemo(() => cutNames(held, listing.path), [held, listing.path])
  useRestoreVisit({ listing, filter: filter.text, selection }, grid, visit)
  useFolderEvents(isComplete(listing) ? listing.path : null)
  // Every navigation clears the selection, even to the same folder.
  useEffect(() => selection.clear(), [selection, visit.key])
  useReveal(around.show, visit)
  useListingKeys({ listing, selection, actions, filter, grid, tiled: view !== 'list', onMenu: setMenuAt })
  const perm = permissionsIn(listing, user.perm)
  usePaste(may(perm, 'create') ? listing.path : null, () => actions.run('paste'))
  useFrameCommands(actions.run, may(perm, 'create'))
  usePalette(sorted, selection, actions)

  const uploadTo = useDrops(screen, {
    permAt: (target) => permissionsToDrop(listing, user.perm, { target, chosen: [...selection.chosen()] }),
    onDrop(offer, target, transfer) {
      if (offer.kind === 'upload') void uploadDropped(transfer, target).catch(report)
      else void actions.transfer(offer.kind, offer.sources, target).catch(report)
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
    const { name, path, isDir } = entryOf(listing, index)
    if (sources.length === 1 && !isDir && may(permissionsFor(listing, user.perm, [name]), 'download'))
      setDownloadUrl(event.dataTransfer, { name, url: location.origin + fileAddress(path) })
  }
  const openFolderMenu = (event: MouseEvent) => {
    // An entry has handled it, or it is left to the browser.
    if (event.defaultPrevented || !mouse || !isEmptySpace(event.target)) return
    event.preventDefault()
    selection.clear()
    setFolderMenuAt({ x: event.clientX, y: event.clientY })
  }
  const sort = (column: Sorting['by']) => void save({ sorting: nextSorting(user.sorting, column) })
  const port = { available: actions.available, onAction: actions.run, textOf: actions.textOf }
  const nameOfFolder = useFolderName()
  const folderName = nameOfFolder(listing.path)

  const selectionBar = <SelectionBar {...port} listing={listing} selection={selection} />

  return (
    <section
      ref={screen}
      className={styles.screen}
      aria-label={folderName}
      data-drop={listing.path}
      data-dropping={uploadTo === listing.path ? '' : undefined}
      data-part="listing"
      onPointerMove={prepareContextMenu}
      onFocus={prepareContextMenu}
      onContextMenu={openFolderMenu}
    >
      <ListingHeader
        {...port}
        listing={sorted}
        selection={selection}
        name={folderName}
        view={view}
        phone={phone}
        detailed={detailed}
        selectionBar={selectionBar}
        onDetails={() => (pane === null ? actions.run('info') : pane.show(!pane.open))}
        onView={(chosen) => {
          chooseView({ gallery: chosen === 'gallery' })
          if (chosen !== 'gallery' && chosen !== user.viewMode) void save({ viewMode: chosen })
        }}
        onSort={sort}
      />
      <div className="flex grow shrinkable-block">
        <div className="column grow shrinkable shrinkable-block">
          {filter.text !== null && (
            <FilterBar
              text={filter.text}
              asked={filter.focusRequests}
              shown={listing.order.length}
              total={listing.names.length}
              onText={filter.narrow}
              onClose={() => {
                filter.close()
                grid.current?.focusOn(selection.focus ?? sorted.order[0] ?? 0)
              }}
              onLeave={() => {
                const [first] = listing.order
                if (first !== undefined) grid.current?.focusOn(selection.focus ?? first)
              }}
            />
          )}
          {listing.names.length === 0 ? (
            <EmptyFolder {...port} />
          ) : listing.order.length === 0 ? (
            <NothingMatches text={filter.text ?? ''} onClear={filter.close} />
          ) : (
            <Grid
              ref={grid}
              listing={listing}
              selection={selection}
              view={view}
              phone={phone}
              label={folderName}
              cut={cut}
              stars={stars}
              canDrag={mouse && may(perm, 'rename')}
              singleClick={user.singleClick}
              onOpen={actions.open}
              onMenu={setMenuAt}
              onSort={sort}
              onDragStart={drag}
            />
          )}
        </div>
        {detailed && (
          <Suspense>
            <DetailsPane
              listing={listing}
              selection={selection}
              subjectOf={actions.subject}
              onUsage={actions.showUsage}
              onGo={actions.goTo}
              onClose={() => {
                chooseView({ details: false })
                grid.current?.focusOn(selection.focus ?? sorted.order[0] ?? 0)
              }}
            />
          </Suspense>
        )}
      </div>
      {phone && selectionBar}
      <Suspense>
        <ListingPrint listing={listing} />
      </Suspense>
      {phone && actions.available('new-folder') && <NewButton {...port} selection={selection} />}
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
          <span>{t('files.drop', { name: nameOfFolder(uploadTo) })}</span>
        </p>
      )}
      <UploadInputs pickers={pickers} target={listing.path} />
    </section>
  )
}

function isEmptySpace(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [data-part=dock], [data-item]') === null
}

/** Commands that the header and the sidebar send. */
function useFrameCommands(run: (action: 'new-folder' | 'new-file' | 'upload-files' | 'upload-folder') => void, mayCreate: boolean): void {
  const send = useEffectEvent(run)
  useEffect(() => {
    if (!mayCreate) return
    return offerCommands({
      'new-folder': () => send('new-folder'),
      'new-file': () => send('new-file'),
      'upload-files': () => send('upload-files'),
      'upload-folder': () => send('upload-folder'),
    })
  }, [mayCreate])
}

async function save(fields: OwnFields): Promise<void> {
  await saveProfile(fields).catch(report)
}
