import { previews as calls, PREVIEW_SIZES } from '../../shared/contract/previews.ts'
import { fail } from '../../shared/errors.ts'
import type { Access } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { type PreviewOptions, respondPreview } from './preview-response.ts'
import type { Previews } from './previews.ts'

export interface PreviewsDeps {
  readonly driveFor: (access: Access) => Drive
  readonly previews: Previews
  readonly respondRaw: PreviewOptions['respondRaw']
}

export function mountPreviews(app: Router, { driveFor, previews, respondRaw }: PreviewsDeps): void {
  mount(app, calls.get, async ({ params, query, viewer, request }) => {
    const size = PREVIEW_SIZES.find((one) => one === params.size) ?? fail('invalid-input', { issues: ['size: thumb, big or pdf'] })
    const drive = driveFor(viewer.access)
    const options = { size, clientKey: clientKeyOf(viewer), request, inline: query.inline === 'true', respondRaw }
    return respondPreview(previews, { drive, path: params.path }, options)
  })
}
