import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { elsewhere, isLocal, sharedLink } from '../address/share-link.ts'
import { qrModules } from './qr-code.ts'

const MARGIN = 4

/** The link to what is shown as a QR code, for the phones of the audience. */
export function LinkCode() {
  const link = useSignal<string | null>(null)
  useEffect(() => {
    void sharedLink().then((made) => {
      link.value = made
    })
  }, [link])
  if (link.value === null) return null
  const modules = qrModules(link.value)
  return (
    <figure class="link-code">
      {modules === null ? (
        <p>The link is too long for a QR code: use Share.</p>
      ) : (
        <svg
          viewBox={`0 0 ${modules.length + 2 * MARGIN} ${modules.length + 2 * MARGIN}`}
          role="img"
          aria-label="QR code of the link"
          shape-rendering="crispEdges"
        >
          <path d={outline(modules)} />
        </svg>
      )}
      <figcaption>
        <code>{link.value.length > 100 ? `${link.value.slice(0, 100)}…` : link.value}</code>
        {isLocal() && elsewhere.value === '' && (
          <p>This address works on this computer only. Share has a file for others.</p>
        )}
      </figcaption>
    </figure>
  )
}

/** The dark modules as runs of each row. */
function outline(modules: readonly (readonly boolean[])[]): string {
  const runs = modules.flatMap((row, y) =>
    [...row.map(Number).join('').matchAll(/1+/g)].map(
      ({ 0: { length }, index }) => `M${index + MARGIN} ${y + MARGIN}h${length}v1h-${length}z`,
    ),
  )
  return runs.join('')
}
