import { entryAt, type Listing, sizeOfFiles } from '../../../data/listing.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { useFolderName } from '../folder-name.ts'
import { PrintSheet } from '../../../widgets/print-sheet.tsx'

/** Print view of the whole folder in display order, including rows that are not rendered. */
export function ListingPrint({ listing }: { listing: Listing }) {
  return (
    <PrintSheet
      title={useFolderName()(listing.path)}
      amount={<Amount listing={listing} />}
      address={location.href}
      count={listing.order.length}
      entryAt={(position) => entryAt(listing, position)}
    />
  )
}

/** Computed only when printing. */
function Amount({ listing }: { listing: Listing }) {
  return (
    <>
      {formatCounts({ folders: listing.numDirs, files: listing.numFiles })} · <bdi>{formatBytes(sizeOfFiles(listing))}</bdi>
    </>
  )
}
